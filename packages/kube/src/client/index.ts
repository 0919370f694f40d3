export {
  type Answer,
  ApiError,
  type ApiStatus,
  type Call,
  type KubeClient,
  type Resource,
  type StreamAnswer,
  type StreamCall,
} from './client.ts';
