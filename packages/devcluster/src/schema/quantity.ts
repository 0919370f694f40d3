/** Quantities of resources, such as `500m` or `16Gi`: which texts are some, and how much they are. */
import { memoize } from '../memoize/index.ts';

/** Digits may be left out, and stand for nothing then; the whole text may not. */
export function isQuantity(text: string): boolean {
  return text !== '' && pattern.test(text);
}

/** As a number, which is near enough to tell whether it is negative or whole. */
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
