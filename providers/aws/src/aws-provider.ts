/** The provider for AWS: connects the parts that call EC2 to the plug. */
import { ClockSkew } from '@tandem/provider/calls';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { awsMetrics } from './aws-metrics.ts';
import { checkAccess } from './check-access.ts';
import { Cluster } from './cluster.ts';
import { readConfig } from './config/index.ts';
import { EC2 } from './ec2.ts';
import { filterValuesMax, InstanceApi } from './instance-api.ts';
import { InstanceMetadata } from './instance-metadata.ts';
import { Interfaces } from './interfaces.ts';
import { lookUp } from './look-up.ts';
import { NetworkTopology } from './network-topology.ts';
import { instanceIdOf } from './provider-id.ts';
import { findRegion } from './region.ts';
import { AWSRoutes, familyOf, RouteApi } from './routes/index.ts';
import type { EC2Connection, OnDate } from './sdk/connection.ts';
import type { ClientOptions } from './sdk/ec2-client.ts';
import { ZoneIds } from './zone-ids.ts';

/** Opens the connection to EC2. */
export type Connect = (client: ClientOptions, onDate: OnDate) => Promise<EC2Connection>;

export async function createAWSProvider(
  context: ProviderContext,
  connect: Connect,
): Promise<Provider> {
  const { configPath, clock, environment } = context;
  const logger = context.logger.child({ provider: 'aws' });
  const settings = await readConfig(configPath, logger);
  const metadata = new InstanceMetadata(environment, clock);
  const configured = settings.region;
  const region = await findRegion({ configured, environment, metadata, signal: context.signal });
  const override = settings.overrides.find((one) => one.region === region);
  const { roleARN, sourceARN } = settings;
  const client = { region, override, roleARN, sourceARN, environment };
  const skew = new ClockSkew(clock, logger, 'EC2');
  const connection = await connect(client, (date, tookMs) => skew.note(date, clock.now() - tookMs));
  const ec2 = new EC2({ connection, clock, skew, metrics: awsMetrics(context.metrics) });
  const instances = new InstanceApi(ec2);
  const cluster = new Cluster({ configuredId: settings.clusterId, instances, metadata });
  const closing = new AbortController();
  const closed = closing.signal;
  const zoneIds = new ZoneIds({ api: instances, clock, logger, closed });
  const types = settings.topologyTypes;
  const topology = new NetworkTopology({ api: instances, clock, logger, types, closed });
  const interfaces = new Interfaces({ instances, clock });
  const { families, routeTableIds: tableIds } = settings;
  const clusterID =
    settings.clusterId ?? 'that of the tags of the instance that the manager runs on';
  logger.info({ region, clusterID, nodeIPFamilies: families }, 'Read the settings for EC2');
  const sources = { instances, clock, cluster, zoneIds, topology, interfaces, families, region };
  const podFamilies = [...new Set(context.clusterCIDRs.map(familyOf))];
  const routes = new AWSRoutes({
    api: new RouteApi(ec2),
    dryRuns: new RouteApi(ec2, { DryRun: true }),
    interfaces,
    cluster,
    clock,
    tableIds,
    podFamilies,
  });
  return {
    name: 'aws',
    limits: {
      // Each look-up makes one call. EC2 allows bursts of 100 such calls and refills 20 a second.
      batchSize: filterValuesMax,
      concurrency: 2,
      callsPerSecond: 5,
      burst: 30,
      // Upstream's manager also gathers look-ups: the nodes of a group register within a second.
      gatherPauseMs: 100,
      gatherMsMax: 500,
      // While a zone is down, one unanswered call is followed by calls for each zone.
      deadlineMs: 30_000,
    },
    identify: instanceIdOf,
    lookup: (nodes, { signal }) => lookUp(nodes, { ...sources, signal }),
    routes,
    checkAccess: (options) => checkAccess({ instances, zoneIds, cluster, routes }, options),
    close: async () => {
      closing.abort();
      await ec2.close();
    },
  };
}
