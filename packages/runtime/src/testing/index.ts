export { seededRandom } from './seeded-random.ts';
export { type VirtualClock, virtualClock } from './virtual-clock.ts';
