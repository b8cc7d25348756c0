create table decern_profiles (
  name text primary key,
  revision text not null,
  activate_at timestamptz,
  profiles jsonb not null
);
