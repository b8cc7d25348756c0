#!/bin/sh
# In ClickHouse's user_scripts. ClickHouse sends each row as {"input": …} and expects {"result": …}.
jq --unbuffered -c '.input | fromjson' |
  npx decern bulk decisions.ts loan-approval --stdin |
  jq --unbuffered -c '{result: tojson}'
