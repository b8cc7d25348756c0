#!/bin/sh
# Kafka with kcat. A crash between read and write loses or repeats messages.
kcat -C -b broker -t loans -u | npx decern bulk decisions.ts loan-approval --stdin | kcat -P -b broker -t decided
