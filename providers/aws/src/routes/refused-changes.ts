/**
 * Asks EC2 which changes of routes the policy does not allow, before the first node needs one. EC2 answers a dry run as it
 * would answer the change, but changes nothing. An endpoint that ignores dry runs changes no route either: the route to
 * create is in the table already, and those to replace and to delete are not.
 */
import type { AccessGap } from '@tandem/provider/plug';
import { gapOf } from '../access-gap.ts';
import { AWSError } from '../failure.ts';
import type { RouteTable } from '../sdk/actions.ts';
import type { RouteApi } from './route-api.ts';

/** A range for documentation, which no cluster uses. */
const unused = '192.0.2.0/24';

export interface ChangesToTry {
  /** One that makes dry runs only. */
  readonly dryRuns: RouteApi;
  readonly table: RouteTable;
  /** Of an instance of the cluster. */
  readonly interfaceId: string;
  readonly signal: AbortSignal;
}

export async function findRefusedChanges({
  dryRuns,
  table: { RouteTableId: table = '', Routes = [] },
  interfaceId,
  signal,
}: ChangesToTry): Promise<AccessGap[]> {
  const write = { signal, beforeWrite: () => {} };
  const absent = { table, destination: unused };
  // Every table has the route of its VPC.
  const present = Routes.flatMap(({ DestinationCidrBlock: destination }) => destination ?? [])[0];
  const gaps = [
    await refusalOf('New nodes get no routes', async () => {
      if (present === undefined) return;
      await dryRuns.create({ table, destination: present }, interfaceId, write);
    }),
    await refusalOf('Routes that lead elsewhere are not corrected', () =>
      dryRuns.replace(absent, interfaceId, write),
    ),
    await refusalOf('Routes of nodes that are gone stay', () => dryRuns.remove(absent, write)),
    await refusalOf('Nodes whose interface checks source and destination get no routes', () =>
      dryRuns.letForward(interfaceId, write),
    ),
  ];
  return gaps.flat();
}

/** Other answers of EC2, such as that the route is not there, refuse no permission. */
async function refusalOf(consequence: string, ask: () => Promise<void>): Promise<AccessGap[]> {
  const gaps = await gapOf(consequence, ask);
  return gaps.filter(({ err }) => err instanceof AWSError && err.code === 'EC2AccessRefused');
}
