/** The provider for Azure: connects the parts that call the Resource Manager to the plug. */
import { createAgents } from '@tandem/provider/calls';
import type { Provider, ProviderContext } from '@tandem/provider/plug';
import { untilAborted } from '@tandem/runtime';
import { Arm } from './arm.ts';
import { azureMetrics } from './azure-metrics.ts';
import { checkAccess } from './check-access.ts';
import { Clients } from './clients.ts';
import { CloudSource } from './cloud-source.ts';
import { readCloud, readConfig } from './config/index.ts';
import { readCredentials } from './credentials.ts';
import { CurrentCredentials } from './current-credentials.ts';
import { Fleet } from './fleet.ts';
import { lookUp } from './look-up.ts';
import { MachineApi } from './machine-api.ts';
import { NodeNames } from './node-names.ts';
import { instanceKeyOf } from './provider-id.ts';
import { readJson } from './read-json.ts';
import { AzureRoutes, Forwarding, Operations, RouteApi } from './routes/index.ts';
import { TokenRenewal } from './token-renewal.ts';

export async function createAzureProvider(context: ProviderContext): Promise<Provider> {
  const { configPath: path, clock, environment, signal } = context;
  const logger = context.logger.child({ provider: 'azure' });
  const settings = await readConfig({ path, environment });
  const { unknownKeys } = settings;
  if (unknownKeys.length > 0) {
    logger.warn({ path, unknownKeys }, 'Ignored unknown keys in the cloud config');
  }
  const agents = createAgents(environment);
  const credentials = await CurrentCredentials.open(async () => {
    const { credential } = await readConfig({ path, environment });
    return readCredentials(credential, { agents, clock });
  });
  const closed = new AbortController();
  const cloud = new CloudSource(clock, () =>
    readCloud(settings.cloud, (url) =>
      readJson(url, { agents, signal: closed.signal, nowMs: clock.now() }),
    ),
  );
  await untilAborted(signal, cloud.start(logger));
  const renewal = new TokenRenewal(clock, () => {
    clients.forgetTokens();
    void credentials.readAgain(logger).then(() => clients.forgetTokens());
  });
  const arm = new Arm({
    clock,
    logger,
    metrics: azureMetrics(context.metrics),
    rates: settings.rates,
    onTokenRefused: () => renewal.renew(),
  });
  const { userAgent, routeTable } = settings;
  const tenants = new Map<string, string>();
  if (routeTable?.tenantId !== undefined) {
    tenants.set(routeTable.subscriptionId.toLowerCase(), routeTable.tenantId);
  }
  const { policy } = arm;
  const clients = new Clients({ cloud, agents, credentials, userAgent, policy, tenants });
  const api = new MachineApi(arm, clients);
  const fleet = new Fleet(api, clock, logger);
  const nodeNames = new NodeNames();
  const forwarding = new Forwarding(logger);
  const { subscriptionId, resourceGroup, location } = settings;
  const scope = { subscriptionId, resourceGroup };
  const operations = new Operations(arm, clients, clock);
  const tableApi = routeTable && new RouteApi({ arm, clients, operations, place: routeTable });
  const routes =
    tableApi &&
    new AzureRoutes({
      api: tableApi,
      place: routeTable,
      location,
      clusterName: context.clusterName,
      nodeNames,
      forwarding,
      clock,
      logger,
    });
  return {
    name: 'azure',
    // A look-up reads lists that cover all nodes, so only one look-up runs at a time.
    limits: { batchSize: 10_000, concurrency: 1, callsPerSecond: 1, burst: 10, deadlineMs: 90_000 },
    identify: instanceKeyOf,
    lookup(nodes, options) {
      for (const { name } of nodes) nodeNames.note(name);
      return lookUp(nodes, { ...options, fleet, api, clock, scope, forwarding });
    },
    ...(routes && { routes }),
    checkAccess: (options) => checkAccess({ api, scope, routes }, options),
    async close() {
      closed.abort(new Error('the provider is closed'));
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
