/** A route table as Microsoft.Network writes it. */
import { tableId } from './ids.ts';
import type { StoredTable } from './state.ts';

export function tableJson(table: StoredTable): unknown {
  const id = tableId(table);
  return {
    name: table.name,
    id,
    etag: table.etag,
    type: 'Microsoft.Network/routeTables',
    location: table.location,
    tags: table.tags,
    properties: {
      provisioningState: table.provisioning,
      resourceGuid: '22222222-2222-4222-8222-222222222222',
      disableBgpRoutePropagation: table.disableBgpRoutePropagation,
      ...(table.disablePeeringRoute === undefined
        ? {}
        : { disablePeeringRoute: table.disablePeeringRoute }),
      routes: table.routes.map(({ name, destination, nextHopType, nextHop }) => ({
        name,
        id: `${id}/routes/${name}`,
        etag: table.etag,
        type: 'Microsoft.Network/routeTables/routes',
        properties: {
          provisioningState: 'Succeeded',
          addressPrefix: destination,
          nextHopType,
          ...(nextHop === undefined ? {} : { nextHopIpAddress: nextHop }),
          hasBgpOverride: false,
        },
      })),
      subnets: [{ id: `${id.split('/routeTables/')[0]}/virtualNetworks/vnet/subnets/nodes` }],
    },
  };
}
