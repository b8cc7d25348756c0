#!/bin/sh
# Measures a service on two free cores: one for the service, one for wrk. Use the second result, after V8 has compiled the code.
cat > post.lua <<'END'
wrk.method = "POST"
wrk.headers["content-type"] = "application/json"
wrk.body = '{"input":{"amount":9000,"score":700}}'
END
taskset -c 0 node dist/main.js &
sleep 2
for run in first second; do
  echo "$run"
  taskset -c 1 wrk -t1 -c64 -d10s -s post.lua http://localhost:3000/decisions/loan-approval
done
kill $!
