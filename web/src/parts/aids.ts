// The signs of rules and settings, as paths of `Icon`: for the head of a page and for a table's menu.
export const HELP = 'M12 12m-8.5 0a8.5 8.5 0 1 0 17 0a8.5 8.5 0 1 0-17 0M9.6 9.6a2.5 2.5 0 1 1 3.7 2.2c-.9.5-1.3 1-1.3 2M12 16.6h.01';
export const SETTINGS =
  'M4 7.5h8M18 7.5h2M4 16.5h2M12 16.5h8M15 7.5m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0M9 16.5m-2.5 0a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0-5 0';
