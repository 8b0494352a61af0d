import java.math.BigDecimal;
import java.io.StringReader;
import java.io.StringWriter;
import java.sql.*;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/** JDBC: statements that become named after some executions, portals of some rows, batches, generated keys, metadata. */
class Client {
    static final String QUESTION =
        "SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST";

    interface Check { void run() throws Exception; }

    static void check(String name, Check c) {
        try {
            c.run();
            System.out.println("ok: " + name);
        } catch (Exception | AssertionError e) {
            System.out.println("failed: " + name + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "));
        }
    }

    static void equal(Object got, Object want) {
        if (!got.equals(want)) throw new AssertionError("got " + got + " instead of " + want);
    }

    static void refused(String state, Check c) throws Exception {
        try {
            c.run();
        } catch (SQLException e) {
            equal(e.getSQLState(), state);
            return;
        }
        throw new AssertionError("SQLSTATE " + state + " was not raised");
    }

    static Connection connect(String... options) throws SQLException {
        var env = System.getenv();
        var p = new Properties();
        p.setProperty("user", env.get("PGUSER"));
        p.setProperty("password", env.get("PGPASSWORD"));
        for (int i = 0; i < options.length; i += 2) p.setProperty(options[i], options[i + 1]);
        return DriverManager.getConnection("jdbc:postgresql://" + env.get("PGHOST") + ":" + env.get("PGPORT") + "/" + env.get("PGDATABASE"), p);
    }

    static List<String> rows(ResultSet r) throws SQLException {
        var all = new ArrayList<String>();
        int columns = r.getMetaData().getColumnCount();
        while (r.next()) {
            var row = new ArrayList<String>();
            for (int i = 1; i <= columns; i++) row.add(String.valueOf(r.getObject(i)));
            all.add(String.join("|", row));
        }
        return all;
    }

    static List<String> rows(Connection c, String sql) throws SQLException {
        try (var s = c.createStatement(); var r = s.executeQuery(sql)) { return rows(r); }
    }

    static final String COUNTS = "SELECT region, count(*) AS n FROM people WHERE age >= ? AND region <> ? AND admitted < ? GROUP BY region";

    static List<String> counts(PreparedStatement s, int age) throws SQLException {
        s.setInt(1, age);
        s.setString(2, "west");
        s.setDate(3, Date.valueOf("2024-12-01"));
        try (var r = s.executeQuery()) { return rows(r); }
    }

    public static void main(String[] args) throws Exception {
        var conn = connect();
        System.out.println("version: " + conn.getMetaData().getDriverVersion() + ", Java " + System.getProperty("java.version"));

        check("wrong password", () -> refused("28P01", () -> connect("password", "wrong")));

        check("own tables", () -> {
            try (var s = conn.createStatement()) {
                s.execute("CREATE TABLE jdbc_own (i int GENERATED ALWAYS AS IDENTITY, t text, n numeric, b bool, d date, y bytea, a int[])");
            }
            try (var s = conn.prepareStatement("INSERT INTO jdbc_own (t, n, b, d, y, a) VALUES (?, ?, ?, ?, ?, ?)", Statement.RETURN_GENERATED_KEYS)) {
                s.setString(1, "ä€");
                s.setBigDecimal(2, new BigDecimal("1.50"));
                s.setBoolean(3, true);
                s.setDate(4, Date.valueOf("2024-02-29"));
                s.setBytes(5, new byte[] {0, -1});
                s.setArray(6, conn.createArrayOf("int4", new Object[] {1, 2}));
                s.executeUpdate();
                try (var keys = s.getGeneratedKeys()) {
                    keys.next();
                    equal(keys.getInt(1), 1);
                }
            }
            try (var s = conn.createStatement(); var r = s.executeQuery("SELECT t, n, b, d, y, a FROM jdbc_own")) {
                r.next();
                equal(r.getString(1), "ä€");
                equal(r.getBigDecimal(2), new BigDecimal("1.50"));
                equal(r.getBoolean(3), true);
                equal(r.getDate(4), Date.valueOf("2024-02-29"));
                equal(Arrays.toString(r.getBytes(5)), "[0, -1]");
                equal(Arrays.toString((Object[]) r.getArray(6).getArray()), "[1, 2]");
            }
        });

        check("batch", () -> {
            try (var s = conn.prepareStatement("INSERT INTO jdbc_own (t) VALUES (?)")) {
                for (int i = 0; i < 500; i++) {
                    s.setString(1, "batch");
                    s.addBatch();
                }
                equal(Arrays.stream(s.executeBatch()).sum(), 500);
            }
            try (var c = connect("reWriteBatchedInserts", "true"); var s = c.prepareStatement("INSERT INTO jdbc_own (t) VALUES (?)")) {
                for (int i = 0; i < 500; i++) {
                    s.setString(1, "batch");
                    s.addBatch();
                }
                equal(s.executeBatch().length, 500);
            }
        });

        check("copy", () -> {
            var copy = conn.unwrap(PGConnection.class).getCopyAPI();
            equal(copy.copyIn("COPY jdbc_own (t) FROM STDIN", new StringReader("copied\n".repeat(1000))), 1000L);
            equal(copy.copyOut("COPY (SELECT t FROM jdbc_own WHERE t = 'copied') TO STDOUT", new StringWriter()), 1000L);
        });

        check("protected count", () -> {
            try (var s = conn.createStatement(); var r = s.executeQuery(QUESTION)) {
                equal(r.getMetaData().getColumnTypeName(3), "int8");
                var cells = new ArrayList<String>();
                while (r.next()) {
                    var sex = r.getString("sex");
                    cells.add(r.getString("region") + "/" + (sex == null ? "" : sex) + "=" + r.getLong("n"));
                }
                System.out.println("answer: " + String.join(" ", cells));
            }
        });

        for (var mode : List.of("extended", "extendedForPrepared", "extendedCacheEverything", "simple")) {
            check("crossing the prepare threshold, query mode " + mode, () -> {
                try (var c = connect("preferQueryMode", mode); var s = c.prepareStatement(COUNTS)) {
                    s.unwrap(PGStatement.class).setPrepareThreshold(5);
                    var first = counts(s, 20);
                    equal(first.size(), 3);
                    for (int i = 0; i < 9; i++) equal(counts(s, 20), first);
                    var warning = s.getWarnings();
                    if (warning == null || !warning.getMessage().contains("free (answered ")) throw new AssertionError("notice: " + warning);
                    counts(s, 40);
                    equal(counts(s, 20), first);
                }
            });
        }

        check("prepared from the first execution, and in binary", () -> {
            try (var c = connect("prepareThreshold", "-1"); var s = c.prepareStatement(COUNTS)) {
                var first = counts(s, 20);
                equal(counts(s, 20), first);
            }
        });

        check("metadata before execution", () -> {
            try (var s = conn.prepareStatement(COUNTS)) {
                equal(s.getParameterMetaData().getParameterTypeName(3), "date");
                equal(s.getMetaData().getColumnName(2), "n");
            }
        });

        check("fetch size without autocommit", () -> {
            try (var c = connect()) {
                c.setAutoCommit(false);
                var want = rows(c, QUESTION);
                try (var s = c.createStatement()) {
                    s.setFetchSize(5);
                    equal(rows(s.executeQuery(QUESTION)), want);
                    equal(rows(s.executeQuery("SELECT i FROM jdbc_own WHERE t = 'copied'")).size(), 1000);
                }
                try (var s = c.prepareStatement(COUNTS)) {
                    var first = counts(s, 20);
                    s.setFetchSize(2);
                    for (int i = 0; i < 7; i++) equal(counts(s, 20), first);
                }
                try (var s = c.createStatement(); var other = c.createStatement()) { // two portals at a time
                    s.setFetchSize(1);
                    other.setFetchSize(1);
                    var a = s.executeQuery(QUESTION);
                    var b = other.executeQuery("SELECT sex, count(*) FROM people GROUP BY sex");
                    for (int i = 0; i < 3; i++) {
                        equal(a.next(), true);
                        equal(b.next(), true);
                    }
                }
                c.commit();
            }
        });

        check("scrollable result", () -> {
            try (var s = conn.createStatement(ResultSet.TYPE_SCROLL_INSENSITIVE, ResultSet.CONCUR_READ_ONLY); var r = s.executeQuery(QUESTION)) {
                r.last();
                equal(r.getRow(), 12);
            }
        });

        check("maximal number of rows", () -> {
            try (var s = conn.createStatement()) {
                s.setMaxRows(4);
                equal(rows(s.executeQuery(QUESTION)).size(), 4);
            }
        });

        check("several statements in one text", () -> {
            try (var s = conn.createStatement()) {
                equal(s.execute("SELECT 1; SELECT sex, count(*) FROM people GROUP BY sex"), true);
                equal(s.getMoreResults(), true);
                equal(rows(s.getResultSet()).size(), 3);
            }
        });

        check("refusal", () -> {
            refused("42501", () -> rows(conn, "SELECT * FROM people"));
            try (var s = conn.prepareStatement("SELECT name FROM people WHERE age > ?")) {
                s.setInt(1, 3);
                refused("42501", s::executeQuery);
            }
            equal(rows(conn, "SELECT 1"), List.of("1"));
        });

        check("refusal in a batch", () -> {
            try (var s = conn.createStatement()) {
                s.addBatch("INSERT INTO jdbc_own (t) VALUES ('a')");
                s.addBatch("INSERT INTO jdbc_own (t) SELECT name FROM people");
                s.addBatch("INSERT INTO jdbc_own (t) VALUES ('b')");
                refused("42501", s::executeBatch);
            }
            equal(rows(conn, "SELECT 1"), List.of("1"));
        });

        check("failed block", () -> {
            try (var c = connect()) {
                c.setAutoCommit(false);
                refused("42501", () -> rows(c, "SELECT name FROM people"));
                refused("25P02", () -> rows(c, "SELECT 1"));
                c.rollback();
                equal(rows(c, "SELECT 1"), List.of("1"));
            }
        });

        check("savepoint before each statement", () -> {
            try (var c = connect("autosave", "always")) {
                c.setAutoCommit(false);
                refused("42501", () -> rows(c, "SELECT name FROM people"));
                equal(rows(c, "SELECT sex, count(*) FROM people GROUP BY sex").size(), 3);
                var here = c.setSavepoint("here");
                refused("42P01", () -> rows(c, "SELECT * FROM nowhere"));
                c.rollback(here);
                c.commit();
            }
        });

        check("statement timeout and cancel", () -> {
            try (var s = conn.createStatement()) {
                s.setQueryTimeout(1);
                refused("57014", () -> s.executeQuery("SELECT pg_sleep(60)"));
            }
            equal(rows(conn, "SELECT 1"), List.of("1"));
        });

        var m = conn.getMetaData();
        check("database metadata", () -> {
            equal(rows(m.getColumns(null, "public", "people", "%")).size(), 7);
            rows(m.getPrimaryKeys(null, "public", "people"));
            rows(m.getImportedKeys(null, "public", "people"));
            rows(m.getSchemas());
            rows(m.getTypeInfo());
            rows(m.getFunctions(null, null, "abs"));
        });
        check("database metadata: tables", () -> equal(rows(m.getTables(null, "public", "people", null)).size(), 1));
        check("database metadata: indexes", () -> rows(m.getIndexInfo(null, "public", "people", false, true)));

        check("read-only, isolation and schema", () -> {
            try (var c = connect("currentSchema", "public", "ApplicationName", "it's a report")) {
                c.setReadOnly(true);
                c.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                c.setAutoCommit(false);
                equal(rows(c, "SELECT sex, count(*) FROM people GROUP BY sex").size(), 3);
                equal(c.getSchema(), "public");
                c.commit();
            }
        });

        try (var s = conn.createStatement()) { s.execute("DROP TABLE IF EXISTS jdbc_own"); }
        conn.close();
    }
}
