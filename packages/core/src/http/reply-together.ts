// Kept from before anybody's test puts a fake in its place, under which no reply would leave. Browsers have none, and no host.
const afterThisTurn = globalThis.setImmediate;

/**
 * Writes a reply when the event loop has read all that had arrived, so that the replies of one turn leave one after
 * another. Reading, evaluating and writing in turn makes the kernel and the peer change places with this process at
 * every request, which costs more than everything that a host does for it. A request that is alone waits for nothing.
 *
 * @param fail - gets what `write` throws, which is in nobody's `try` any more
 */
export function replyTogether(write: () => void, fail: (thrown: unknown) => void): void {
  afterThisTurn(() => {
    try {
      write();
    } catch (thrown) {
      fail(thrown);
    }
  });
}
