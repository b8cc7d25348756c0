import { createServer } from "node:http";
import { evaluateLoan, inputOf, statusOf } from "../plain-handler.js";
import { portOf } from "../port-of.js";

/** Bare `node:http`. */
export async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      text += chunk;
    });
    request.on("end", () => {
      const result = evaluateLoan(inputOf(JSON.parse(text)));
      const body = JSON.stringify(result);
      response.writeHead(statusOf(result), {
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return portOf(server.address());
}
