/** Bundles the measured program as `npm run build` bundles those that ship. */
import { join } from 'node:path';
import { bundleForBench } from '../bundle.ts';

/** Gives the path of the program below `folder`. */
export async function bundleMeasured(folder: string): Promise<string> {
  const measured = join(import.meta.dirname, 'measured', 'main.ts');
  const bundled = await bundleForBench(folder, { measured });
  return bundled('measured');
}
