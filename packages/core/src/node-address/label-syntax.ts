/** Checks the key and the value of a label by the rules of Kubernetes, and describes problems. */
import { quote } from './wording.ts';

/** Returns the problem of the key, if any. */
export function labelKeyProblem(key: string): string | undefined {
  const slash = key.indexOf('/');
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  const isPrefix = prefix === undefined || (prefix.length <= 253 && prefixPattern.test(prefix));
  if (isPrefix && name.length <= nameLengthMax && namePattern.test(name)) return undefined;
  return `${quote(key)} is not a valid label key: expected a name of ${rule}, after an optional domain and slash`;
}

/** Returns the problem of the value, if any. An empty value is valid. */
export function labelValueProblem(value: string): string | undefined {
  const isRight = value === '' || (value.length <= nameLengthMax && namePattern.test(value));
  return isRight ? undefined : `${quote(value)} is not a valid label value: expected ${rule}`;
}

const nameLengthMax = 63;
const namePattern = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const prefixPattern = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const rule = `at most ${nameLengthMax} letters, digits, dashes, underscores and dots, with a letter or digit at both ends`;
