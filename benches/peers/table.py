#!/usr/bin/env python3
"""table.py RAW OUT: merge the passes in RAW into one JSON line per peer, scenario and variant in OUT; Markdown to stdout."""
import json, platform, re, subprocess, sys
from collections import defaultdict

SECTIONS = [  # title, scenario pattern, variants (in column order)
    ('Encode: parameters already serialized', r'enc_(floor_)?(batch|execute|query)', ['bytes']),
    ('Encode: from application values', r'enc_(floor_)?(batch|execute)', ['values', 'values-f32', 'bind', 'typed-arrays']),
    ('Encode: v4 compression and v5 segments', r'enc_v[45]_', ['bytes', 'segment']),
    ('Decode RESULT/ROWS bodies', r'dec_', ['rows', 'columns', 'borrow', 'arrow', 'sync', 'stream', 'list', 'lazy', 'numpy', 'pure', 'typed', 'borrowed', 'dynamic']),
    ('Decode one vector value', r'val_', ['wire', 'parsed', 'typed', 'dynamic', 'value']),
]
SHORT = {'npm': 'js', 'js': 'js', 'pypi': 'py', 'crates': 'rs'}


def fmt(ns):
    for unit, scale in (('ms', 1e6), ('µs', 1e3)):
        if ns >= scale:
            return '%.3g %s' % (ns / scale, unit) if ns < 1000 * scale else '%.0f %s' % (ns / scale, unit)
    return '%.3g ns' % ns


def merge(raw):
    """The lowest minimum over the passes, and the median of the less disturbed pass."""
    order, merged = ['peer', 'scenario', 'variant', 'ns_per_op_min', 'ns_per_op_median', 'bytes'], {}
    for l in raw:
        old = merged.setdefault((l['peer'], l['scenario'], l['variant']), l)
        if old is not l and l['ns_per_op_min']:
            for k in ('ns_per_op_min', 'ns_per_op_median'):
                old[k] = min(old[k], l[k])
            old['samples'] += l['samples']
    return [{k: l[k] for k in order + [k for k in l if k not in order]} for l in merged.values()]


def main():
    lines = merge(json.loads(l) for l in open(sys.argv[1]))
    with open(sys.argv[2], 'w') as out:
        out.writelines(json.dumps(l, ensure_ascii=False) + '\n' for l in lines)
    peers = list(dict.fromkeys(l['peer'] for l in lines))
    short = {p: '%s %s' % (SHORT.get(p.split(':')[0], ''), re.sub(r'^\w+:|@.*', '', p)) for p in peers}
    cpu = re.search(r'model name\s*: (.*)', open('/proc/cpuinfo').read())[1]
    version = lambda *c: subprocess.run(c, capture_output=True, text=True).stdout.split('\n')[0]
    print('# Peer codec benchmark\n\nMinimum process CPU time per operation; medians and bytes are in the JSON lines. '
          'Made by `run.sh`; see README.md for what each scenario and variant is.\n')
    print('%s, one pinned core; node %s, python %s, %s\n' % (cpu, version('node', '-v'), platform.python_version(), version('rustc', '-V')))
    print('\n'.join('- %s: %s' % (short[p], p) for p in peers))
    for title, pattern, variants in SECTIONS:
        cells = {(l['scenario'], l['peer'], l['variant']): l for l in lines if re.match(pattern, l['scenario']) and l['variant'] in variants}
        if not cells:
            continue
        cols = [(p, v) for p in peers for v in variants if any(k[1:] == (p, v) and c['ns_per_op_min'] for k, c in cells.items())]
        print('\n## %s\n\n| scenario | bytes | %s |' % (title, ' | '.join('%s `%s`' % (short[p], v) for p, v in cols)))
        print('|---|--:|' + '--:|' * len(cols))
        for sc in dict.fromkeys(k[0] for k in cells):
            row = [cells.get((sc, p, v)) for p, v in cols]
            size = next(c['bytes'] for k, c in cells.items() if k[0] == sc)
            print('| %s | %d | %s |' % (sc, size, ' | '.join(fmt(c['ns_per_op_min']) if c and c['ns_per_op_min'] else '–' for c in row)))
    print('\n## Not measured\n')
    reasons = defaultdict(list)
    for l in lines:
        if l.get('skip'):
            reasons[short[l['peer']], l['variant'], re.sub(r'bytes: Some.*', '…', l['skip'])].append(l['scenario'])
    for (peer, variant, reason), scs in reasons.items():
        print('- %s `%s`: %s (%s)' % (peer, variant, reason, ', '.join(scs)))
    print('\n## Notes on variants\n')
    for peer, variant, note in dict.fromkeys((short[l['peer']], l['variant'], l['note']) for l in lines if l.get('note') and not l.get('skip')):
        print('- %s `%s`: %s' % (peer, variant, note))


if __name__ == '__main__':
    main()
