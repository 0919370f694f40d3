/** Resource quantities, such as `500m` or `16Gi`: whether a text is one, and its value. */
import { memoize } from '../memoize/index.ts';

/** The digits may be missing, which means 0, but the text may not be empty. */
export function isQuantity(text: string): boolean {
  return text !== '' && pattern.test(text);
}

/** As a number, which is exact enough to tell whether it is negative or whole. */
export const quantityValue: (text: string) => number = memoize((text) => {
  const [, digits = '', suffix = ''] = pattern.exec(text) ?? [];
  if (/^[eE][-+]?\d/.test(suffix)) return Number(digits + suffix) || 0;
  const number = Number(digits) || 0;
  const fraction = fractions.get(suffix);
  return fraction === undefined
    ? number * (multiples.get(suffix) ?? Number.NaN)
    : number / fraction;
});

const fractions: ReadonlyMap<string, number> = new Map([
  ['m', 1e3],
  ['u', 1e6],
  ['n', 1e9],
]);

const steps = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

const multiples: ReadonlyMap<string, number> = new Map([
  ...steps.map((suffix, power) => [suffix, 1000 ** power] as const),
  ...steps.slice(1).map((suffix, index) => {
    const binary = suffix === 'k' ? 'Ki' : `${suffix}i`;
    return [binary, 1024 ** (index + 1)] as const;
  }),
]);

const pattern = /^([+-]?\d*\.?\d*)((?:[numkMGTPE]|[KMGTPE]i|[eE][-+]?\d+)?)$/;
