export { controllerName, ipamEvents } from './events.ts';
export { ipamMetricTable } from './metrics.ts';
export { NodeIpamController } from './node-ipam-controller.ts';
export type { NodeIpamOptions, NodeIpamSettings } from './options.ts';
export { type PoolRow, type PoolSection, poolSectionTitle } from './status.ts';
