declare module '*.css';
declare module 'virtual:operations' {
  export const routes: Record<string, string>;
}
