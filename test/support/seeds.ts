/**
 * The seeds of the worlds that a test runs: numbered, the same every time. A failure names its seed, and
 * the environment variable `TANDEM_SEED` makes the test run that one world only.
 */
import { systemEnvironment } from '@tandem/runtime';

/** The seeds `name/0`, `name/1` and so on; only the one to be replayed where that is one of this name. */
export function seedsOf(
  name: string,
  count: number,
  wanted: string | undefined = systemEnvironment()['TANDEM_SEED'],
): readonly string[] {
  if (wanted?.startsWith(`${name}/`)) return [wanted];
  return Array.from({ length: count }, (_, number) => `${name}/${number}`);
}

/** What a failure says: all that a reader needs to run that world again. */
export function howToReplay(seed: string, file: string): string {
  return `Seed ${seed}, to be replayed with: TANDEM_SEED=${seed} npm test -- ${file}`;
}
