// Line drawings on a 24 x 24 grid.
const PATHS = {
  play: 'M8 5.5v13l10.5-6.5z',
  pause: 'M8.5 5.5v13M15.5 5.5v13',
  step: 'M6 5.5v13l9-6.5zM18.5 5.5v13',
  restart: 'M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4',
  fit: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  plus: 'M12 5v14M5 12h14',
  minus: 'M5 12h14',
  cube: 'M12 3.5l7.5 4.2v8.6L12 20.5l-7.5-4.2V7.7zM12 12l7.5-4.3M12 12L4.5 7.7M12 12v8.5',
  hand: 'M8 12.5V6.2a1.5 1.5 0 0 1 3 0V11V4.8a1.5 1.5 0 0 1 3 0V11V6.2a1.5 1.5 0 0 1 3 0V14a6.5 6.5 0 0 1-6.3 6.5c-2.2 0-3.6-1-4.7-2.8L3.9 14a1.6 1.6 0 0 1 2.6-1.8z',
  camera: 'M4 8h3.5L9 5.5h6L16.5 8H20v11H4zM12 10a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4',
  record: 'M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6',
  stop: 'M7 7h10v10H7z',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3L11.8 6.5M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1.2-1.2',
  contrast: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16M12 4v16M12 8.5h6.8M12 12h8M12 15.5h6.8',
  help: 'M9.2 9.2a2.9 2.9 0 1 1 4.4 2.5c-1.1.7-1.6 1.2-1.6 2.5M12 17.6v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17',
  panel: 'M4 5h16v14H4zM14.5 5v14M17 8.5h.8M17 11.5h.8',
  gallery: 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z',
  eye: 'M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  close: 'M6 6l12 12M18 6L6 18',
};

export function glyph(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'glyph');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name] ?? '');
  if (name === 'play') path.setAttribute('fill', 'currentColor');
  svg.append(path);
  return svg;
}
