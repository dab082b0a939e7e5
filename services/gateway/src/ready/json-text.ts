/** SQL for a time in the format of the interface (docs/interface.md#1.2). */
export const jsonTime = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL for the JSON objects of a query's rows, in its order, as a JSON array without blanks. */
export const jsonList = (query: string) =>
  `'[' || coalesce((SELECT string_agg(row_to_json(r)::text, ',') FROM (${query}) r), '') || ']'`;
