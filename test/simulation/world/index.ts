export type { Sabotage } from './sabotage.ts';
export { runWorld, type WorldEnd, type WorldOptions } from './world.ts';
