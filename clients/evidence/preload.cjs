// Evidence 40 sets two settings that DuckDB 1.28.0 does not have. Later versions of DuckDB download their reader of Parquet.
'use strict'
const { DuckDBConnection } = require('@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs')
const { query } = DuckDBConnection.prototype
DuckDBConnection.prototype.query = function (sql, ...rest) {
  return /^SET (ieee_floating_point_ops|old_implicit_casting) /.test(sql) ? null : query.call(this, sql, ...rest)
}
