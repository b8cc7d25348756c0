/** Bins of equal width, which narrow the search among many marks down to a few neighbours: most others aren't in the cache. */
interface Bins {
  readonly low: number;
  /** Bins per unit. */
  readonly scale: number;
  readonly last: number;
  /** The first mark that isn't in a bin before it. A larger value is never in an earlier bin. */
  readonly starts: Uint32Array;
}

const fewMarks = 32;

function binsOf(marks: Float64Array): Bins | undefined {
  const low = marks[0] ?? 0;
  const scale = marks.length / ((marks.at(-1) ?? 0) - low);
  if (marks.length < fewMarks || !Number.isFinite(scale) || scale === 0) return undefined;
  const last = marks.length - 1;
  const starts = new Uint32Array(last + 2).fill(marks.length);
  for (let place = last; place >= 0; place -= 1)
    starts[Math.min(Math.floor(((marks[place] ?? 0) - low) * scale), last)] = place;
  for (let bin = last; bin >= 0; bin -= 1) starts[bin] = Math.min(starts[bin] ?? 0, starts[bin + 1] ?? 0);
  return { low, scale, last, starts };
}

/**
 * @param marks - in ascending order
 * @returns a function that finds the place of the first mark that isn't below a value
 */
export function searchIn(marks: Float64Array): (value: number) => number {
  const bins = binsOf(marks);
  return (value) => {
    const bin =
      bins === undefined ? 0 : Math.min(Math.max(Math.floor((value - bins.low) * bins.scale), 0), bins.last);
    let low = bins?.starts[bin] ?? 0;
    let high = bins?.starts[bin + 1] ?? marks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((marks[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
