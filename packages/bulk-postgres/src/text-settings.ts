/**
 * Settings of a transaction in which keys and inputs read the same as text in every process, and every row is seen: where row-level
 * security would hide some, PostgreSQL refuses the query. A row that a worker cannot see would pass for deleted.
 */
export const textSettings = `set local timezone = 'UTC'; set local datestyle = 'ISO, YMD';
  set local intervalstyle = 'postgres'; set local extra_float_digits = 1; set local bytea_output = 'hex';
  set local row_security = off`;
