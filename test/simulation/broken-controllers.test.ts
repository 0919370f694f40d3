/**
 * The test of the tests: managers that are broken in ways that others have been, each from outside its
 * shipped code, and each caught by the check that is there for it.
 */
import assert from 'node:assert/strict';
import type { Violation } from './oracle/index.ts';
import {
  blindDelete,
  claimedNewcomers,
  deafToDeletions,
  emptiedAddresses,
  errorAsAbsence,
  labelBlind,
  eventsOfTheGone,
  halfDone,
  hasty,
  lastingFailures,
  predecessorsAnswer,
  restless,
  secretRefusals,
  spellingBlind,
  staleCopies,
  taintFirst,
  vipBlind,
} from './sabotage/index.ts';
import { describeFailure } from './worlds.ts';
import { runWorld, type Sabotage, type WorldEnd } from './world/index.ts';

interface Case {
  readonly sabotage: Sabotage;
  readonly promise: Violation['promise'];
  readonly message: RegExp;
}

/** Within so many worlds each is caught. */
const seedsMax = 120;

const cases: readonly Case[] = [
  { sabotage: taintFirst, promise: 'P1', message: /lost its taint|neither taint nor addresses/ },
  { sabotage: labelBlind, promise: 'ESR', message: /is not there|is not this cloud’s/ },
  { sabotage: errorAsAbsence, promise: 'P3', message: /deleted while its machine .* runs/ },
  { sabotage: emptiedAddresses, promise: 'P3', message: /addresses of .* were emptied/ },
  { sabotage: hasty, promise: 'P3', message: /deleted after \d+ absent answers within \d+ ms/ },
  { sabotage: claimedNewcomers, promise: 'P3', message: /and was never found/ },
  { sabotage: blindDelete, promise: 'P3', message: /without preconditions/ },
  { sabotage: predecessorsAnswer, promise: 'P2', message: /got .*, (?:which )?its machine/ },
  { sabotage: spellingBlind, promise: 'P2', message: /are both initialised as/ },
  { sabotage: staleCopies, promise: 'P3', message: /on what its machine had before the request/ },
  { sabotage: lastingFailures, promise: 'ESR', message: /not acted on within a second/ },
  { sabotage: vipBlind, promise: 'P2', message: /10\.0\.0\.5|fd00::5/ },
  { sabotage: restless, promise: 'P5', message: /changed nothing/ },
  { sabotage: secretRefusals, promise: 'P6', message: /no Warning event/ },
  { sabotage: eventsOfTheGone, promise: 'M6', message: /an event .* which has been gone for/ },
  { sabotage: deafToDeletions, promise: 'M6', message: /entries are kept of nodes/ },
  { sabotage: halfDone, promise: 'ESR', message: /still tainted/ },
];

describe('a manager that is broken is caught', () => {
  for (const { sabotage, promise, message } of cases) {
    it(`by ${promise}, when it ${sabotage.name}`, async () => {
      const ends = await runUntilCaught({ sabotage, promise, message });
      const last = ends.at(-1);
      assert.ok(last !== undefined && isCaught(last, { promise, message }), describeAll(ends));
      const told = describeFailure(last);
      assert.match(told, new RegExp(`TANDEM_SEED=${last.seed} npm test -- simulation`));
    });
  }
});

async function runUntilCaught({ sabotage, ...want }: Case): Promise<readonly WorldEnd[]> {
  const ends: WorldEnd[] = [];
  for (let number = 0; number < seedsMax; number++) {
    const end = await runWorld({ seed: `simulation/${number}`, sabotage });
    ends.push(end);
    if (isCaught(end, want)) break;
  }
  return ends;
}

function isCaught(
  { violation }: WorldEnd,
  { promise, message }: Pick<Case, 'promise' | 'message'>,
): boolean {
  return violation?.promise === promise && message.test(violation.message);
}

function describeAll(ends: readonly WorldEnd[]): string {
  const others = ends.filter(({ violation }) => violation !== undefined).map(describeFailure);
  return `none of ${ends.length} worlds broke it; seen were ${others.join('\n') || 'no others'}`;
}
