# How many customers by country?
#: zeros
SELECT country, count(*) AS customers FROM customers GROUP BY country ORDER BY customers DESC, country;

# How many customers signed up each week of early 2023?
SELECT date_trunc('week', signed_up)::date AS week, count(*) AS signups
FROM customers
WHERE signed_up BETWEEN '2023-01-02' AND '2023-03-26'
GROUP BY week
ORDER BY week;

# Sign-ups month over month
#: zeros
SELECT month, n, n - lag(n) OVER (ORDER BY month) AS change
FROM (
  SELECT date_trunc('month', signed_up) AS month, count(*) AS n
  FROM customers
  GROUP BY date_trunc('month', signed_up)
) t
ORDER BY month;

# The moving average of sign-ups over three months
#: zeros
SELECT date_trunc('month', signed_up)::date AS month,
  count(*) AS n,
  round(avg(count(*)) OVER (ORDER BY date_trunc('month', signed_up)::date ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 1) AS moving
FROM customers
GROUP BY 1
ORDER BY 1;

# Which channel brings most customers in each country?
#: zeros
WITH c AS (
  SELECT country, channel, count(*) AS n FROM customers GROUP BY country, channel
), r AS (
  SELECT c.*, rank() OVER (PARTITION BY country ORDER BY n DESC, channel) AS place FROM c
)
SELECT country, channel, n FROM r WHERE place = 1 ORDER BY country;

# What share of customers takes the newsletter, by channel?
SELECT channel, round(avg(newsletter::int), 3) AS share FROM customers GROUP BY channel ORDER BY channel;

# Customers per million inhabitants
#: zeros
SELECT co.country, co.continent, round(count(*) * 1e6 / co.population, 2) AS per_million
FROM customers cu JOIN countries co USING (country)
GROUP BY co.country, co.continent, co.population
ORDER BY per_million DESC;

# Customers per country, also of countries where there are none
SELECT co.country, coalesce(n, 0) AS customers
FROM countries co
LEFT JOIN (SELECT country, count(*) AS n FROM customers GROUP BY country) cu ON cu.country = co.country
ORDER BY co.country;

# The same as people write it first
SELECT co.country, count(cu.country) AS customers
FROM countries co LEFT JOIN customers cu ON cu.country = co.country
GROUP BY co.country
ORDER BY co.country;

# The same with a count for each row
SELECT co.country, (SELECT count(*) FROM customers cu WHERE cu.country = co.country) AS customers
FROM countries co
ORDER BY co.country;

# How many orders, customers and what revenue in each year?
SELECT date_part('year', ordered_at) AS year, count(*) AS orders, count(DISTINCT customer_id) AS customers, sum(amount) AS revenue
FROM orders
GROUP BY 1
ORDER BY 1;

# Revenue by month without what was cancelled or returned
SELECT date_trunc('month', ordered_at)::date AS month, sum(amount) AS revenue
FROM orders
WHERE status NOT IN ('cancelled', 'returned')
GROUP BY 1
ORDER BY 1;

# Revenue year over year
WITH y AS (
  SELECT extract(year FROM ordered_at)::int AS year, sum(amount) AS revenue FROM orders GROUP BY 1
)
SELECT year, revenue, round(100.0 * revenue / nullif(lag(revenue) OVER (ORDER BY year), 0) - 100, 1) AS growth_percent
FROM y
ORDER BY year;

# What is the average order, by payment?
SELECT payment, round(avg(amount), 2) AS average_order FROM orders GROUP BY payment ORDER BY payment;

# The median order by category
#: differs the median is the value of a row, and never one between two
SELECT category, percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median
FROM orders
GROUP BY category
ORDER BY category;

# The quartiles of all orders
SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY amount) AS quartiles FROM orders;

# The largest order
#: refused 0A000 aggregate max is not supported on protected tables: the value would be that of one row
SELECT max(amount) FROM orders;

# Revenue of quantity times amount, by category
SELECT category, sum(amount * quantity) AS revenue FROM orders WHERE status = 'shipped' GROUP BY category ORDER BY category;

# The top three categories by number of orders
SELECT category, count(*) AS n FROM orders GROUP BY category ORDER BY count(*) DESC, category FETCH FIRST 3 ROWS ONLY;

# Pareto: the running share of orders by category
SELECT category, n, round(100.0 * sum(n) OVER (ORDER BY n DESC, category) / sum(n) OVER (), 1) AS running_percent
FROM (SELECT category, count(*) AS n FROM orders GROUP BY category) c
ORDER BY n DESC, category;

# Orders by department of the category
SELECT ca.department, count(*) AS orders, count(*) FILTER (WHERE o.status = 'returned') AS returned,
  round(100.0 * count(*) FILTER (WHERE o.status = 'returned') / nullif(count(*), 0), 1) AS return_rate
FROM orders o JOIN categories ca ON ca.category = o.category
GROUP BY ca.department
ORDER BY ca.department;

# A pivot of status by category
SELECT category,
  count(CASE WHEN status = 'paid' THEN 1 END) AS paid,
  count(CASE WHEN status = 'shipped' THEN 1 END) AS shipped,
  count(CASE WHEN status = 'returned' THEN 1 END) AS returned,
  count(CASE WHEN status = 'cancelled' THEN 1 END) AS cancelled
FROM orders
GROUP BY category
ORDER BY category;

# Totals by category and payment in all combinations
SELECT category, payment, grouping(category, payment) AS level, count(*)
FROM orders
GROUP BY CUBE (category, payment)
ORDER BY level, category, payment;

# Do coupons make people buy more?
SELECT coupon, count(*) AS orders, round(avg(quantity), 2) AS items, round(avg(amount), 2) AS amount
FROM orders
GROUP BY coupon
ORDER BY coupon;

# How large are orders? (a histogram)
#: zeros
SELECT width_bucket(amount, 0, 1000, 10) AS bucket, count(*) AS orders
FROM orders
GROUP BY bucket
ORDER BY bucket;

# Small, medium and large orders
SELECT CASE WHEN amount < 50 THEN 'small' WHEN amount BETWEEN 50 AND 300 THEN 'medium' ELSE 'large' END AS size, count(*), count(DISTINCT customer_id) AS buyers
FROM orders
GROUP BY 1
ORDER BY 2 DESC;

# When do people shop: weekday by hour
SELECT extract(dow FROM ordered_at) AS weekday, extract(hour FROM ordered_at) AS hour, count(*)
FROM orders
WHERE extract(hour FROM ordered_at) BETWEEN 18 AND 20
GROUP BY 1, 2
ORDER BY 1, 2;

# Orders of each day of the last week of 2023, zeros included
SELECT day::date, count(o.order_id) AS orders
FROM generate_series('2023-12-25'::timestamp, '2023-12-31', '1 day') AS day
LEFT JOIN orders o ON date_trunc('day', o.ordered_at) = day
GROUP BY day
ORDER BY day;

# The same with a column that may be used
SELECT day::date, count(o.ordered_at) AS orders
FROM generate_series('2023-12-25'::timestamp, '2023-12-31', '1 day') AS day
LEFT JOIN orders o ON date_trunc('day', o.ordered_at) = day
GROUP BY day
ORDER BY day;

# How many customers have never ordered?
SELECT count(*) FROM customers c WHERE NOT EXISTS (SELECT * FROM orders o WHERE o.customer_id = c.customer_id);

# How many customers have never ordered, by a LEFT JOIN?
#: refused 0A000 an outer join of protected tables is not supported
SELECT count(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id WHERE o.customer_id IS NULL;

# How many customers bought books, by country?
#: zeros
SELECT country, count(*) AS readers
FROM customers
WHERE customer_id IN (SELECT customer_id FROM orders WHERE category = 'books')
GROUP BY country
ORDER BY country;

# How many bought books and shoes?
SELECT count(*)
FROM customers c
WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.customer_id AND category = 'books')
  AND EXISTS (SELECT 1 FROM orders WHERE customer_id = c.customer_id AND category = 'shoes');

# How many orders do customers make?
WITH per_customer AS (
  SELECT customer_id, count(*) AS orders FROM orders GROUP BY customer_id
)
SELECT orders, count(*) AS customers FROM per_customer GROUP BY orders ORDER BY orders;

# Repeat buyers: what share of buyers ordered more than once?
SELECT round(100.0 * count(*) FILTER (WHERE n > 1) / count(*), 1) AS repeat_percent
FROM (SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id) t;

# Buyers by the years between their first and their last order
SELECT extract(year FROM last) - extract(year FROM first) AS years, count(*) AS buyers
FROM (SELECT customer_id, min(ordered_at) AS first, max(ordered_at) AS last FROM orders GROUP BY customer_id) t
GROUP BY 1
ORDER BY 1;

# Which share of buyers bought in more than one category, by channel?
SELECT c.channel, round(100.0 * avg((o.categories > 1)::int), 1) AS percent
FROM customers c
JOIN (SELECT customer_id, count(DISTINCT category) AS categories FROM orders GROUP BY customer_id) o ON o.customer_id = c.customer_id
GROUP BY c.channel
ORDER BY c.channel;

# Who returned more than they kept?
SELECT count(*) FILTER (WHERE back > kept) AS more_back, count(*) AS buyers
FROM (
  SELECT customer_id, count(*) FILTER (WHERE status = 'returned') AS back, count(*) FILTER (WHERE status IN ('paid', 'shipped')) AS kept FROM orders GROUP BY customer_id
) t;

# Customers by the number of their orders, also of those who have none
SELECT CASE WHEN n = 0 THEN 'none' WHEN n < 3 THEN 'few' ELSE 'many' END AS orders, count(*)
FROM (SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.customer_id) AS n FROM customers c) t
GROUP BY 1
ORDER BY 1;

# Cohorts by the quarter of the first order
#: zeros
SELECT date_trunc('quarter', first_order)::date AS cohort, count(*) AS buyers
FROM (SELECT customer_id, min(ordered_at) AS first_order FROM orders GROUP BY customer_id) f
GROUP BY 1
ORDER BY 1;

# Retention: orders by quarter of sign-up and quarters since then
SELECT date_trunc('year', c.signed_up)::date AS cohort, extract(year FROM o.ordered_at) - extract(year FROM c.signed_up) AS years_later,
  count(DISTINCT c.customer_id) AS active
FROM customers c JOIN orders o ON o.customer_id = c.customer_id
GROUP BY 1, 2
ORDER BY 1, 2;

# Buyers of 2023 who bought again in 2024
SELECT count(DISTINCT a.customer_id)
FROM orders a JOIN orders b ON b.customer_id = a.customer_id
WHERE a.ordered_at >= '2023-01-01' AND a.ordered_at < '2024-01-01' AND b.ordered_at >= '2024-01-01' AND b.ordered_at < '2025-01-01';

# Revenue by country of the customer
#: zeros
SELECT c.country, sum(o.amount) AS revenue
FROM customers c JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.country
ORDER BY c.country;

# Orders by age group and channel of the customer
SELECT c.channel, c.age / 20 * 20 AS age, count(*) AS orders
FROM customers AS c INNER JOIN orders AS o USING (customer_id)
GROUP BY 1, 2
ORDER BY 1, 2;

# The funnel: events by step
SELECT step, count(*) AS events, count(DISTINCT customer_id) AS persons
FROM events
GROUP BY step
ORDER BY events DESC;

# The funnel as one line
SELECT count(DISTINCT customer_id) FILTER (WHERE step = 'visit') AS visited,
  count(DISTINCT customer_id) FILTER (WHERE step = 'cart') AS put_in_cart,
  count(DISTINCT customer_id) FILTER (WHERE step = 'checkout') AS at_checkout,
  count(DISTINCT customer_id) FILTER (WHERE step = 'purchase') AS purchased
FROM events;

# Which share goes on from each step to the next?
WITH f AS (
  SELECT step, count(DISTINCT customer_id) AS n FROM events GROUP BY step
), o AS (
  SELECT f.*, array_position(ARRAY['visit', 'cart', 'checkout', 'purchase'], step) AS place FROM f
)
SELECT step, n, round(100.0 * n / lag(n) OVER (ORDER BY place), 1) AS percent_of_before
FROM o
ORDER BY place;

# Conversion by device
SELECT device, round(count(*) FILTER (WHERE step = 'purchase')::numeric / nullif(count(*) FILTER (WHERE step = 'visit'), 0), 3) AS conversion
FROM events
GROUP BY device
ORDER BY device;

# Events of each hour of one day
#: zeros
SELECT date_trunc('hour', happened_at) AS hour, count(*)
FROM events
WHERE happened_at >= '2023-06-01' AND happened_at < '2023-06-02'
GROUP BY 1
ORDER BY 1;

# Daily active users of a week
SELECT happened_at::date AS day, count(DISTINCT customer_id) AS users
FROM events
WHERE happened_at >= '2023-06-05' AND happened_at < '2023-06-12'
GROUP BY 1
ORDER BY 1;

# The five cities with most orders (values that nobody declared)
SELECT city, count(*) AS orders FROM orders GROUP BY city ORDER BY orders DESC, city LIMIT 5;

# Revenue per buyer, by payment
SELECT payment, round(sum(amount)::numeric / count(DISTINCT customer_id), 2) AS per_buyer
FROM orders
GROUP BY payment
ORDER BY payment;

# What do buyers spend in all, by how much? (sums for each person)
SELECT CASE WHEN spent < 200 THEN 'less than 200' ELSE '200 or more' END AS spent, count(*) AS buyers
FROM (SELECT customer_id, sum(amount) AS spent FROM orders GROUP BY customer_id) t
GROUP BY 1
ORDER BY 1;

# How many days pass from sign-up to the first order?
SELECT avg(o.first::date - c.signed_up)
FROM customers c
JOIN (SELECT customer_id, min(ordered_at) AS first FROM orders GROUP BY customer_id) o USING (customer_id);

# Which countries have above-average numbers of customers?
#: differs the average is also over the country with nobody in it
WITH n AS (SELECT country, count(*) AS customers FROM customers GROUP BY country)
SELECT country, customers FROM n WHERE customers > (SELECT avg(customers) FROM n) ORDER BY country;

# The addresses of customers who have the newsletter
#: refused 42501 column "email" of protected table customers cannot be used
SELECT email FROM customers WHERE newsletter;

# Which customers spent most?
#: refused 42501 groups by "customer_id" of table public.orders have one person each, and cannot be shown
SELECT customer_id, sum(amount) AS spent FROM orders GROUP BY customer_id ORDER BY spent DESC LIMIT 10;

# All categories bought, in one text
#: refused 0A000 aggregate string_agg is not supported on protected tables
SELECT string_agg(DISTINCT category, ', ') FROM orders;

# How many customers came by each channel, at least and at most?
#: truth SELECT channel, count(*) AS n, count(*) AS at_least, count(*) AS at_most FROM customers GROUP BY channel ORDER BY channel
SELECT channel, count(*) AS n, tacit.low(count(*)) AS at_least, tacit.high(count(*)) AS at_most
FROM customers
GROUP BY channel
ORDER BY channel;

# Average number of orders per buyer by country
#: note A country with nobody is a group here, too, with a count of 0. It has to be nullif(count(DISTINCT c.customer_id), 0), as in the next question
#: refused 22012 division by zero
SELECT c.country, round(count(*)::numeric / count(DISTINCT c.customer_id), 2) AS per_buyer
FROM customers c JOIN orders o ON c.customer_id = o.customer_id
GROUP BY c.country
ORDER BY c.country;

# The same, where the divisor may be 0
#: zeros
SELECT c.country, round(count(*)::numeric / nullif(count(DISTINCT c.customer_id), 0), 2) AS per_buyer
FROM customers c JOIN orders o ON c.customer_id = o.customer_id
GROUP BY c.country
ORDER BY c.country;

# How much of the revenue comes from coupons, each year?
SELECT extract(year FROM ordered_at)::int AS year, round(100.0 * sum(amount) FILTER (WHERE coupon) / sum(amount), 1) AS percent
FROM orders
WHERE ordered_at >= '2022-01-01' AND ordered_at < '2025-01-01'
GROUP BY 1
ORDER BY 1;

# Revenue by half year, as a pivot
SELECT category,
  sum(CASE WHEN ordered_at < '2024-07-01' THEN amount ELSE 0 END) AS first_half,
  sum(CASE WHEN ordered_at >= '2024-07-01' THEN amount ELSE 0 END) AS second_half
FROM orders
WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01'
GROUP BY category
ORDER BY category;

# The cumulated revenue of 2024
SELECT month, sum(revenue) OVER (ORDER BY month) AS so_far
FROM (SELECT date_trunc('month', ordered_at) AS month, sum(amount) AS revenue FROM orders WHERE ordered_at >= '2024-01-01' AND ordered_at < '2025-01-01' GROUP BY 1) m
ORDER BY month;

# Quarters in which more than 150 orders were placed
SELECT to_char(ordered_at, 'YYYY-"Q"Q') AS quarter, count(*) AS orders
FROM orders
WHERE ordered_at >= '2023-01-01' AND ordered_at < '2025-01-01'
GROUP BY 1
HAVING count(*) > 150
ORDER BY 1;

# The average basket, with the variance
SELECT avg(quantity) AS mean, var_samp(quantity) AS variance, stddev_pop(quantity) AS deviation FROM orders;

# Net revenue after a tax of 19 percent
SELECT category, round(sum(amount) / 1.19, 2) AS net FROM orders GROUP BY category ORDER BY category;

# The same, computed on each row
#: differs numbers are rounded to a grid of 0.001 before they are added up, which the notice says
SELECT category, sum(amount / 1.19) AS net FROM orders GROUP BY category ORDER BY category;

# Customers by generation, largest first
SELECT CASE WHEN 2024 - age >= 1997 THEN 'Z' WHEN 2024 - age >= 1981 THEN 'Y' WHEN 2024 - age >= 1965 THEN 'X' ELSE 'boomers' END AS generation, count(*) AS n
FROM customers
GROUP BY generation
ORDER BY n DESC, generation;

# Orders of the last 30 days before a day, by category
SELECT category, count(*) FROM orders
WHERE ordered_at >= date '2024-07-01' - interval '30 days' AND ordered_at < date '2024-07-01'
GROUP BY category
ORDER BY category;

# Returned or cancelled, as one rate
SELECT 1.0 * sum((status IN ('returned', 'cancelled'))::int) / count(*) AS rate FROM orders;

# How many customers of each channel ordered within 30 days of their sign-up?
SELECT c.channel, count(DISTINCT c.customer_id) AS quick
FROM customers c JOIN orders o USING (customer_id)
WHERE o.ordered_at < c.signed_up + interval '30 days'
GROUP BY c.channel
ORDER BY c.channel;

# Two years side by side, joined after counting
SELECT a.category, a.n AS n_2023, b.n AS n_2024, b.n - a.n AS change
FROM (SELECT category, count(*) AS n FROM orders WHERE extract(year FROM ordered_at) = 2023 GROUP BY category) a
JOIN (SELECT category, count(*) AS n FROM orders WHERE extract(year FROM ordered_at) = 2024 GROUP BY category) b USING (category)
ORDER BY a.category;

# Which devices do people use by hour of the day?
SELECT device, extract(hour FROM happened_at) AS hour, count(*) FROM events GROUP BY device, hour HAVING count(*) > 0 ORDER BY device, hour;

# How many orders of each status, in the order of the enum type?
SELECT status, count(*) FROM orders WHERE status <> 'paid' GROUP BY status ORDER BY status DESC;

# Buyers by their number of orders, counted by a key that is not listed
SELECT least(n, 5) AS orders, count(*) AS buyers
FROM (SELECT customer_id, count(order_id) AS n FROM orders GROUP BY customer_id) t
GROUP BY 1
ORDER BY 1;

# How many customers have ever used a coupon?
SELECT count(*) FROM (SELECT DISTINCT customer_id FROM orders WHERE coupon) AS users;
