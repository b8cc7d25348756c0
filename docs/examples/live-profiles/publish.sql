-- In one statement, with a new revision each time.
with published as (
  update decern_profiles
  set revision = '2026-12-01.1', activate_at = '2026-12-01T00:00:00Z',
      profiles = '{ "loan-approval": { "minScore": 640, "maxAmount": 50000 } }'
  where name = 'live'
  returning 1
)
select pg_notify('decern_profiles', '') from published;
