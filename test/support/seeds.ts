/**
 * The seeds of a test, numbered and the same every time. A failure names its seed, and the environment variable
 * `TANDEM_SEED` makes the test run only that seed.
 */
import { systemEnvironment } from '@tandem/runtime';

/** The seeds `name/0`, `name/1` and so on; only the seed to replay if it has this name. */
export function seedsOf(
  name: string,
  count: number,
  wanted: string | undefined = systemEnvironment()['TANDEM_SEED'],
): readonly string[] {
  if (wanted?.startsWith(`${name}/`)) return [wanted];
  return Array.from({ length: count }, (_, number) => `${name}/${number}`);
}

/** The line of a failure that says how to run the seed again. */
export function howToReplay(seed: string, file: string): string {
  return `Seed ${seed}, to be replayed with: TANDEM_SEED=${seed} npm test -- ${file}`;
}
