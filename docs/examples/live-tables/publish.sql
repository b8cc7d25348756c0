-- `tables` is a list of documents, as `decern table convert fee.xlsx fee.json` writes each.
with published as (
  update decern_tables
  set revision = '2026-12-01.1', activate_at = '2026-12-01T00:00:00Z',
      tables = '[]', profiles = null
  where name = 'live'
  returning 1
)
select pg_notify('decern_tables', '') from published;
