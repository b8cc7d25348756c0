import { createDecisionRouter } from "@decern/adapter-express";
import { generateAdapterSpec } from "@decern/openapi";
import express from "express";
import { decisions, profiles } from "./decisions.js";

const app = express();
app.use("/api", createDecisionRouter({ decisions, profiles, prefix: "decisions" }));

const documentPath = "/api/openapi.json";
const document = generateAdapterSpec({ decisions, prefix: "/api/decisions", documentPath });
app.get(documentPath, (_request, response) => void response.json(document));
app.listen(3000);
