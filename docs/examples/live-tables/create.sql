create table decern_tables (
  name text primary key,
  revision text not null,
  activate_at timestamptz,
  tables jsonb not null,
  profiles jsonb
);
