// Clients on keep-alive connections, in a separate thread so they can send while the server is busy.
// Each sends one request after another, with short pauses, until its connection ends. Reports the outcome of every request.
import { connect } from "node:net";
import { parentPort, workerData } from "node:worker_threads";

const { port, clients, round } = workerData;
const outcomes = {};

/** The length of the first reply in `bytes`, head included, or `undefined` if it is incomplete. */
function replyLength(bytes) {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(bytes.toString("latin1", 0, end + 2))?.[1]);
  return bytes.length >= end + 4 + length ? end + 4 + length : undefined;
}

function converse(client) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = Buffer.alloc(0);
    let sent = 0;
    let waiting;
    const send = () => {
      if (socket.destroyed || socket.readableEnded) return;
      waiting = `${round}-${client}-${sent}`;
      sent += 1;
      outcomes[waiting] = "nothing";
      // Most replies are small; some do not fit into one write.
      const length = sent % 8 === client % 8 ? 300_000 : 10;
      const wait = sent % 5 === client % 5 ? 3 : 0;
      const body = JSON.stringify({ input: { length, wait } });
      socket.write(
        `POST /decisions/sized HTTP/1.1\r\nhost: x\r\nx-request-id: ${waiting}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    };
    socket.on("connect", send);
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      outcomes[waiting] = "cut";
      const length = replyLength(received);
      if (length === undefined) return;
      outcomes[waiting] = received.toString("latin1", 9, 12);
      // The server has announced the end, so the client must not send more.
      if (/\r\nconnection: close/i.test(received.toString("latin1", 0, received.indexOf("\r\n\r\n")))) return;
      received = received.subarray(length);
      // Some clients pause, so a request can meet the end of an idle connection.
      setTimeout(send, sent % 3 === 0 ? Math.random() * 40 : 0);
    });
    socket.on("error", () => {});
    socket.on("close", resolve);
  });
}

await Promise.all(Array.from({ length: clients }, (_, client) => converse(client)));
parentPort.postMessage(outcomes);
