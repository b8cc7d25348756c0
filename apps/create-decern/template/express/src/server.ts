import { createDecisionRouter } from "@decern/adapter-express";
import express from "express";
import { decisions, profiles } from "./decisions.js";
import { host, log, port } from "./settings.js";

const app = express();
app.get("/health/ready", (_request, response) => void response.json({ status: "ok" }));
app.use(createDecisionRouter({ decisions, profiles, log, prefix: "decisions" }));

const server = app.listen(port, host, (error) => {
  if (error) throw error; // such as a port in use
  console.log(`Serving on http://${host}:${port}`);
});

function stop(): void {
  server.close(() => void log?.close());
}
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
