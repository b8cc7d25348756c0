import { connect, type Socket } from "node:net";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { type ReadReplies, type ReadReply, readReplies } from "../../../../test/support/read-replies.js";
import { type ConnectionPlan, idPrefix, type PlannedRequest } from "./pipelining-plan.js";

/** What came of a plan. */
export interface Outcome {
  readonly received: string;
  /** Whether the connection broke, which can cost replies that were on their way: see {@link problemOf}. */
  readonly broken: boolean;
  readonly connected: boolean;
}

/** Does what a plan says, and listens until the connection has ended. */
export function carryOut(plan: ConnectionPlan, port: number, onPart = (): void => {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const chunks: string[] = [];
    let broken = false;
    let connected = false;
    socket.setNoDelay(true).setEncoding("latin1");
    socket.on("data", (text: string) => {
      chunks.push(text);
      // A client that has all its answers goes.
      if (plan.leave === undefined && hasAll(chunks.join(""), plan)) socket.end();
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => {
      broken = true;
    });
    socket.on("close", () => resolve({ received: chunks.join(""), broken, connected }));
    socket.on("connect", () => {
      connected = true;
      void speak(socket, plan, onPart);
    });
  });
}

function hasAll(received: string, plan: ConnectionPlan): boolean {
  try {
    return readReplies(received, methodsOf(plan)).replies.length === plan.requests.length;
  } catch {
    return true;
  }
}

/** The methods as the service got to know them: none, where the client left in the middle of the request. */
function methodsOf(plan: ConnectionPlan): readonly string[] {
  const complete = completeRequests(plan);
  return plan.requests.map(({ method }, index) => (index < complete ? method : ""));
}

async function speak(socket: Socket, plan: ConnectionPlan, onPart: () => void): Promise<void> {
  const bytes = Buffer.concat(plan.requests.map((request) => request.bytes));
  const end = sentBytes(plan);
  let from = 0;
  for (const [at, pause] of plan.cuts) {
    const to = Math.min(end, Math.floor(bytes.length * at));
    if (!socket.writable) return;
    socket.write(bytes.subarray(from, to));
    from = to;
    onPart();
    if (pause === "turn") await turn();
    if (pause === "moment") await wait(1);
  }
  if (!socket.writable) return;
  socket.write(bytes.subarray(from, end));
  onPart();
  if (plan.leave?.how === "end") socket.end();
  if (plan.leave?.how === "destroy") socket.destroy();
  if (plan.leave?.how === "reset") socket.resetAndDestroy();
}

/** What the answers of one connection may be beside what its plan says. */
export interface Allowance {
  /** Answers to any request, such as 503 under overload. */
  readonly statuses: readonly number[];
  /** The ids of the requests that the service began to read. Only known of a service that is closed meanwhile. */
  readonly begun?: ReadonlySet<string>;
}

/**
 * Tells what is wrong with the answers of a connection: each request has exactly one, in order, and nothing comes after one
 * that says `Connection: close`. These may be missing, as HTTP allows:
 *
 * - all behind an answer with `Connection: close`, and all when the client has left;
 * - where a connection was reset, those before a request that ends it, too: a server that ends a connection while requests
 *   are on their way resets it, and what it sent just before can be lost (RFC 9112, 9.6);
 * - where the service was closed, those of requests that it had not begun to read.
 */
export function problemOf(plan: ConnectionPlan, outcome: Outcome, allowed: Allowance): string | undefined {
  let read: ReadReplies;
  try {
    read = readReplies(outcome.received, methodsOf(plan));
  } catch (error) {
    return String(error);
  }
  const { replies, rest } = read;
  for (const [index, reply] of replies.entries()) {
    const request = plan.requests[index];
    if (request === undefined) {
      return isRefusalOfTheRest(plan, reply) ? undefined : `one answer too many: ${show(reply)}`;
    }
    const problem = isRefusedPart(plan, index, reply) ? undefined : problemOfReply(request, reply, allowed);
    if (problem !== undefined) return `${index}, ${request.kind}: ${problem}`;
    if (closes(reply) && (index < replies.length - 1 || rest !== ""))
      return `${index}: answers after a close`;
  }
  const last = replies.at(-1);
  if (last !== undefined && closes(last)) return undefined;
  if (plan.leave !== undefined) return undefined;
  const missing = plan.requests.slice(replies.length);
  if (outcome.broken && (allowed.begun !== undefined || missing.some(mayClose))) return undefined;
  const owed = missing.filter(({ id }) => allowed.begun === undefined || allowed.begun.has(id));
  if (rest !== "") return `an answer that was cut: ${rest.slice(0, 100)}`;
  return owed.length > 0 ? `${owed.length} answers missing, the first to ${owed[0]?.kind}` : undefined;
}

/**
 * Whether a reply is what Node sends by itself, in a host of an adapter, when a client ends in the middle of a request that
 * was answered already: a host may answer before it has read the whole body.
 */
function isRefusalOfTheRest({ host, leave }: ConnectionPlan, reply: ReadReply): boolean {
  return !host.startsWith("server") && leave?.how === "end" && reply.status === 400 && closes(reply);
}

/**
 * Whether a reply refuses a request that its client left in the middle of. The server refuses it after all others; what
 * Node does by itself, in a host of an adapter, is in its own order.
 */
function isRefusedPart(plan: ConnectionPlan, index: number, reply: ReadReply): boolean {
  const { leave, host } = plan;
  if (leave === undefined || reply.status !== 400) return false;
  if (reply.headers.get("x-request-id")?.startsWith(idPrefix) === true) return false;
  return !host.startsWith("server") || (closes(reply) && index === completeRequests(plan));
}

/** How many requests of a plan are sent in full. */
function completeRequests(plan: ConnectionPlan): number {
  let left = sentBytes(plan);
  return plan.requests.filter(({ bytes }) => {
    left -= bytes.length;
    return left >= 0;
  }).length;
}

/** How much of a plan is sent. */
function sentBytes({ requests, leave }: ConnectionPlan): number {
  const length = requests.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return leave === undefined ? length : Math.floor(length * leave.at);
}

function problemOfReply(request: PlannedRequest, reply: ReadReply, allowed: Allowance): string | undefined {
  const id = reply.headers.get("x-request-id");
  if (request.identified ? id !== request.id : id?.startsWith(idPrefix) === true && id !== request.id) {
    return `the answer to ${id} in place of ${request.id}'s`;
  }
  if (![...request.statuses, ...allowed.statuses].includes(reply.status)) return `unexpected ${show(reply)}`;
  return request.closes && !closes(reply) ? `no close with ${show(reply)}` : undefined;
}

/** Whether the answer to a request may end its connection: a refusal may, since its body may not be worth reading. */
function mayClose({ closes, statuses }: PlannedRequest): boolean {
  return closes || statuses.some((status) => status >= 400);
}

function closes(reply: ReadReply): boolean {
  return reply.headers.get("connection")?.toLowerCase() === "close";
}

function show({ status, body }: ReadReply): string {
  return `${status} ${body.slice(0, 200)}`;
}
