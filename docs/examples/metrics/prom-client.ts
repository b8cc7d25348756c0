import { metrics } from "@decern/metrics";
import express from "express";
import { register } from "prom-client";

const m = metrics({ enabled: true, processMetrics: false }); // prom-client has its own
const app = express();
app.get("/metrics", async (_request, response) => {
  // The default type of the registry: nothing may follow the `# EOF` of an OpenMetrics page.
  response.set("content-type", register.contentType);
  response.send(`${await register.metrics()}${m.collector.toPrometheus()}`);
});
