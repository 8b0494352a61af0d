// Package norows replaces protected tables by relations of their listed columns without rows, where no row can come out.
//
// Tools ask for the columns of a table by a SELECT that has no rows: LIMIT 0, WHERE 1 = 0. Whatever stands in the table has no part in the
// result. So [Replace] guarantees that nothing is counted or charged for such a SELECT, and that the analyst's server answers it without the
// table. SELECTs of counts are left to package rewrite, which reads them: their result has a row.
package norows
