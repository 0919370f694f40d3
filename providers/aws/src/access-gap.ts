/** What EC2 refuses or lacks, found without failing the whole check of the access. */
import type { AccessGap } from '@tandem/provider/plug';
import { AWSError } from './failure.ts';

/** Returns one gap if the question is refused, and none if it is answered. */
export async function gapOf(
  consequence: string,
  ask: () => Promise<unknown>,
): Promise<AccessGap[]> {
  try {
    await ask();
    return [];
  } catch (err) {
    if (err instanceof AWSError) return [{ err, consequence }];
    throw err;
  }
}
