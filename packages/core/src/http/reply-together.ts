// Kept from before anybody's test puts a fake in its place, under which no reply would leave. Browsers have none, and no host.
const afterThisTurn = globalThis.setImmediate;

/** A reply that comes so many milliseconds after the one before it is not made to wait: that would cost more than it saves. */
const apartMs = 0.25;

let lastMs = Number.NEGATIVE_INFINITY;

/**
 * Writes a reply. Where replies follow one another closely, it is written when the event loop has read and evaluated all
 * that had arrived, so that those of one turn leave one after another: docs/adr/0006 says why. A reply that is alone, and
 * one whose evaluation took its time, is written immediately.
 *
 * @param fail - gets what `write` throws, which may be outside of every `try`
 */
export function replyTogether(write: () => void, fail: (thrown: unknown) => void): void {
  const guarded = (): void => {
    try {
      write();
    } catch (thrown) {
      fail(thrown);
    }
    lastMs = performance.now();
  };
  const nowMs = performance.now();
  if (nowMs - lastMs > apartMs) {
    guarded();
  } else {
    lastMs = nowMs;
    afterThisTurn(guarded);
  }
}
