/** Contenders measured in turns, so that other load on the machine affects all of them alike. */
import type { BenchPorts } from '../report.ts';

/** Each round begins with another contender, so that none always runs first. Gives the runs of each contender. */
export async function measureInTurns<Contender, Run>(
  { say }: BenchPorts,
  options: {
    readonly contenders: readonly Contender[];
    readonly rounds: number;
    readonly measure: (contender: Contender) => Promise<Run>;
  },
): Promise<Run[][]> {
  const { contenders, rounds, measure } = options;
  const runs = contenders.map((contender): [Contender, Run[]] => [contender, []]);
  for (let round = 0; round < rounds; round += 1) {
    say(`round ${round + 1} of ${rounds}`);
    const first = round % runs.length;
    for (const [contender, own] of [...runs.slice(first), ...runs.slice(0, first)]) {
      own.push(await measure(contender));
    }
  }
  return runs.map(([, own]) => own);
}
