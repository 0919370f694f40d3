/** Contenders measured in turns, so that other load on the machine affects all of them alike. */
import type { BenchPorts } from '../report.ts';
import type { Contender } from './contender.ts';

/** One value for each of the contenders that targets are about. */
export interface PerContender<Value> {
  readonly bare: Value;
  readonly tandem: Value;
  readonly upstream: Value;
}

/** Each round begins with another contender, so that none always runs first. */
export async function measureInTurns<Figures>(
  { say }: BenchPorts,
  options: {
    readonly contenders: PerContender<Contender>;
    readonly rounds: number;
    readonly measure: (contender: Contender) => Promise<Figures>;
  },
): Promise<PerContender<Figures[]>> {
  const { contenders, rounds, measure } = options;
  const measured: PerContender<Figures[]> = { bare: [], tandem: [], upstream: [] };
  const order = ['bare', 'tandem', 'upstream'] as const;
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`);
    for (let turn = 0; turn < order.length; turn += 1) {
      const name = order[(round + turn) % order.length] ?? 'bare';
      measured[name].push(await measure(contenders[name]));
    }
  }
  return measured;
}
