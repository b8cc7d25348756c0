/** Whether an input with this number is valid. */
type IsValid = (number: number) => boolean;

/** The numbers that may stand in one place: multiples of a step between two bounds. */
export interface NumberGrid {
  readonly lowest: number;
  readonly highest: number;
  at(index: number): number;
  /** How many steps there are between the bounds. */
  readonly steps: number;
}

/** Tried from large to small. Decimals beyond these are not looked for. */
const stepSizes = [1, 0.1, 0.01] as const;

const farthest = 1e9;

/**
 * Finds out by trying which numbers are valid beside one that is. That works with every kind of schema.
 *
 * @returns `undefined` for a number that nothing else can stand for
 */
export function numberGrid(start: number, isValid: IsValid): NumberGrid | undefined {
  const finest = stepSizes.findLast((size) => isValid(round(start + size)) || isValid(round(start - size)));
  if (finest === undefined) return undefined;
  const reach = (sign: 1 | -1): number => {
    let [inside, outside] = [0, 1];
    const isInside = (count: number): boolean => isValid(round(start + sign * count * finest));
    while (isInside(outside)) {
      inside = outside;
      if (outside * finest > farthest) return inside;
      outside *= 2;
    }
    while (outside - inside > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (isInside(middle)) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  const [below, above] = [reach(-1), reach(1)];
  return {
    lowest: round(start - below * finest),
    highest: round(start + above * finest),
    at: (index) => round(start + (index - below) * finest),
    steps: below + above,
  };
}

/** Without the noise that binary fractions add. */
function round(number: number): number {
  return Math.round(number * 100) / 100;
}
