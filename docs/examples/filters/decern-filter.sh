#!/bin/sh
# In the user_scripts of ClickHouse, for the function of loan_approval.xml. Neither ClickHouse nor Spark retries lines.
# ClickHouse sends each row as {"input": …} and expects {"result": …}.
jq --unbuffered -c '.input | fromjson' |
  npx decern bulk decisions.ts loan-approval --stdin |
  jq --unbuffered -c '{result: tojson}'
