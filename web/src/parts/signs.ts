// Drawn signs that only some tables and pages need, as the paths of `Icon`.
export const UNDO = 'M8.5 5 4 9.5 8.5 14M4.5 9.5h9a5.5 5.5 0 0 1 0 11H9';
export const HANDS = 'M4 12h6l2-2 2 2h6M4 8.5v7M20 8.5v7M9 15.5l3 2.5 3-2.5';
export const FIRST = 'M18.5 6 11 12l7.5 6zM6 6v12';
export const PREVIOUS = 'M15.5 6 8 12l7.5 6z';
export const PLAY = 'M8 5.5 18.5 12 8 18.5z';
export const PAUSE = 'M8.5 5.5v13M15.5 5.5v13';
export const NEXT = 'M8.5 6l7.5 6-7.5 6z';
export const LAST = 'M5.5 6l7.5 6-7.5 6zM18 6v12';
export const LINK = 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1';
export const SEND = 'M4 12 20 4.5 15.5 20l-4-6zM20 4.5 11.5 14';
export const CHAT = 'M4.5 5.5h15v11H11l-4.5 4v-4h-2z';
export const COPY = 'M9 9h10.5v10.5H9zM6 15H4.5V4.5H15V6';
export const AGAIN = 'M19.5 12a7.5 7.5 0 1 1-2.3-5.4M19.5 4v4h-4';
export const DOWNLOAD = 'M12 4.5V15M8 11.5l4 4 4-4M5 19.5h14';
export const CLOSE = 'M6 6l12 12M18 6 6 18';
export const CHECK = 'm5 12.5 4.5 4.5L19 7.5';
