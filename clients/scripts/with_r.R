# R: DBI with RPostgreSQL, and dplyr, whose verbs dbplyr translates into SQL.
suppressPackageStartupMessages({
  library(RPostgreSQL)
  library(dplyr)
  library(dbplyr)
})
cat(sprintf("version: %s, dbplyr %s, RPostgreSQL %s\n", getRversion(), packageVersion("dbplyr"), packageVersion("RPostgreSQL")))

question <- "SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST"

con <- dbConnect(PostgreSQL(),
  host = Sys.getenv("PGHOST"), port = as.integer(Sys.getenv("PGPORT")), dbname = Sys.getenv("PGDATABASE"),
  user = Sys.getenv("PGUSER"), password = Sys.getenv("PGPASSWORD")
)

check <- function(name, body) {
  failure <- tryCatch(
    {
      force(body)
      NULL
    },
    error = conditionMessage
  )
  if (is.null(failure)) {
    cat("ok: ", name, "\n", sep = "")
  } else {
    cat("failed: ", name, ": ", gsub("\\s+", " ", failure), "\n", sep = "")
  }
}

equal <- function(got, want) {
  if (!identical(got, want)) stop("got ", deparse1(got), " instead of ", deparse1(want))
}

spent <- function() dbGetQuery(con, "SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'")[[1]]

# RPostgreSQL prints the server's error, warns, and returns NULL.
refused <- function(body) {
  before <- spent()
  try(suppressWarnings(force(body)), silent = TRUE)
  message <- dbGetException(con)$errorMsg
  if (!grepl("rows of protected table people cannot be read", message)) stop("not refused: ", message)
  equal(spent(), before)
}

people <- NULL

check("own table", {
  dbWriteTable(con, "r_own", data.frame(region = c("north", "south"), x = c(1.5, 2.5)), row.names = FALSE)
  equal(dbReadTable(con, "r_own")$x, c(1.5, 2.5))
  dbRemoveTable(con, "r_own")
})

check("list of tables", {
  equal("people" %in% dbListTables(con), TRUE)
  equal(dbExistsTable(con, c("public", "people")), TRUE)
})

check("columns of a lazy table, without a charge", {
  before <- spent()
  people <- tbl(con, "people")
  equal(colnames(people), c("region", "sex", "age", "admitted", "illness"))
  equal(spent(), before)
})

check("protected count", {
  answer <- dbGetQuery(con, question)
  equal(names(answer), c("region", "sex", "n"))
  sex <- ifelse(is.na(answer$sex), "", answer$sex)
  cat("answer: ", paste0(answer$region, "/", sex, "=", answer$n, collapse = " "), "\n", sep = "")
})

check("count of a pipeline, and its replay", {
  before <- spent()
  by_region <- people %>% filter(age >= 31L) %>% count(region) %>% arrange(region)
  first <- collect(by_region)
  equal(first$region, c("east", "north", "south", "west"))
  after <- spent()
  if (after <= before || after > before + 0.5) stop("the count was charged ", after - before)
  equal(collect(by_region), first)
  equal(spent(), after)
})

check("summary by groups, with a number that dbplyr writes as 18.0", {
  by_sex <- people %>%
    filter(age >= 18, region %in% c("north", "south")) %>%
    group_by(sex) %>%
    summarise(n = n(), old = sum(as.integer(age >= 65L), na.rm = TRUE)) %>%
    collect()
  equal(nrow(by_sex), 3L)
})

check("rows are refused without a charge", {
  refused(collect(head(people, 200)))
  refused(dbGetQuery(con, "SELECT * FROM people LIMIT 200"))
  refused(print(people))
  equal(dbGetQuery(con, "SELECT 1 AS one")$one, 1L)
})

invisible(dbDisconnect(con))
