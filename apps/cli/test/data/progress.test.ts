import { Writable } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { countRecords, Progress } from "../../src/command-line/output.js";

function terminal(showsProgress: boolean) {
  const written: string[] = [];
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { io: { stderr, showsProgress, progressColumns: 20 }, written };
}

describe("Progress", () => {
  it("writes one line over and over, and removes it", () => {
    const { io, written } = terminal(true);
    const progress = new Progress(io);
    progress.show("first");
    progress.show("a line that is longer than the terminal is wide");
    progress.end();
    progress.end();
    expect(written).toEqual(["\r\u001b[2Kfirst", "\r\u001b[2Ka line that is long", "\r\u001b[2K"]);
  });

  it("does not write more often than ten times a second", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      const { io, written } = terminal(true);
      const progress = new Progress(io);
      for (let step = 0; step < 1000; step += 1) {
        progress.tell(() => String(step));
        vi.advanceTimersByTime(1);
      }
      expect(written).toHaveLength(10);
    } finally {
      vi.useRealTimers();
    }
  });

  it("writes nothing where there is no terminal, and makes no text for it", () => {
    const { io, written } = terminal(false);
    const progress = new Progress(io);
    const text = vi.fn(() => "text");
    progress.tell(text);
    progress.show("text");
    progress.end();
    expect(written).toEqual([]);
    expect(text).not.toHaveBeenCalled();
  });
});

it("countRecords tells the rate after a second", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const told = countRecords("Replayed");
    expect(told(1500)).toBe("Replayed 1,500 records");
    vi.advanceTimersByTime(2000);
    expect(told(200_000)).toBe("Replayed 200,000 records, 100,000 a second");
  } finally {
    vi.useRealTimers();
  }
});
