/** Tandem with a provider that counts what it is asked. */
import { readFile } from 'node:fs/promises';
import type { Contender } from '../../contest/contender.ts';
import { tandem, type TandemOptions } from '../../contest/tandem.ts';
import { callsFile } from '../counting-provider.ts';

export function countedTandem(options: TandemOptions & { readonly provider: string }): Contender {
  const counted = tandem({ ...options, name: 'Tandem, cloud calls counted' });
  return {
    name: counted.name,
    async start() {
      const running = await counted.start();
      const cloudCalls = async (): Promise<number> =>
        Number(await readFile(callsFile(options.inventory), 'utf8'));
      return { ...running, cloudCalls };
    },
  };
}
