"""Pipes the lines of a file through the filter, in Spark."""
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()
lines = spark.read.text("loans.ndjson").rdd.map(lambda row: row.value)
decided = lines.pipe("npx decern bulk decisions.ts loan-approval --stdin")
