/** Environment variables that make a bench smaller while something is being tried. */
import { systemEnvironment } from '@tandem/runtime';

/** The value of the variable, or `usual` where it is not set. */
export function readCount(name: string, usual: number): number {
  const text = systemEnvironment()[name] ?? String(usual);
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new Error(`${name} is ${JSON.stringify(text)}; give a whole number above 0`);
}
