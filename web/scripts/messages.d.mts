// Types of messages.mjs for vite.config.ts.
export function here(path: string): string;
export function compileMessages(): Promise<void>;
export function shortNames(): Map<string, string>;
