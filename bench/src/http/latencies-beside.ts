import { Agent, request } from "node:http";

/** How many requests are under way at a time. */
const connections = 4;

/**
 * Sends single requests, one after the other on a few connections, while something else goes on.
 *
 * @param isOver - asked before each request
 * @returns how long each reply took, in milliseconds
 */
export async function latenciesBeside(
  url: string,
  bodies: readonly string[],
  isOver: () => boolean,
  type = "application/json",
): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true });
  const taken: number[] = [];
  const ask = async (first: number): Promise<void> => {
    for (let index = first; !isOver(); index += connections) {
      const began = performance.now();
      await post(url, bodies[index % bodies.length] ?? "", type, agent);
      taken.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, index) => ask(index)));
  agent.destroy();
  return taken;
}

function post(url: string, body: string, type: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": type, "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      response.on("end", () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`bad reply from ${url}`)),
      );
      response.resume();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
