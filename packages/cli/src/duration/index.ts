export { goDuration } from './go-duration.ts';
