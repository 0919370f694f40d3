/**
 * Key exchanges by Go's numbers (`crypto/tls` CurveID, which are IANA's), with OpenSSL's names for them.
 */
import { createSecureContext } from 'node:tls';

/** Returns OpenSSL's list for the given numbers, or Go's default. */
export function curveList(numbers: readonly number[]): string {
  const chosen = numbers.length === 0 ? defaultCurves : numbers;
  return chosen.map((number) => curves.get(number) ?? String(number)).join(':');
}

/** Returns a message with advice for every wrong number. */
export function curveProblems(numbers: readonly number[]): string[] {
  const unknown = numbers.filter((number) => !isAvailable(number)).map(unknownProblem);
  const twice = numbers.filter((number, index) => numbers.indexOf(number) !== index);
  return [...unknown, ...twice.map(twiceProblem)];
}

function unknownProblem(number: number): string {
  const known = [...curves].map(([id, name]) => `${id} (${name})`).join(', ');
  return `--tls-curve-preferences: ${number} is not a supported curve. Use some of ${known}.`;
}

function twiceProblem(number: number): string {
  return `--tls-curve-preferences: ${number} appears twice. Name it once.`;
}

/** Returns whether OpenSSL was built with the group, which only OpenSSL itself knows. */
function isAvailable(number: number): boolean {
  const name = curves.get(number);
  if (name === undefined) return false;
  try {
    createSecureContext({ ecdhCurve: name });
    return true;
  } catch {
    return false;
  }
}

const curves: ReadonlyMap<number, string> = new Map([
  [23, 'prime256v1'],
  [24, 'secp384r1'],
  [25, 'secp521r1'],
  [29, 'X25519'],
  [4587, 'SecP256r1MLKEM768'],
  [4588, 'X25519MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
]);

/** X25519 with ML-KEM against quantum computers, X25519 alone, and the curves of NIST. */
const defaultCurves: readonly number[] = [4588, 29, 23, 24, 25];
