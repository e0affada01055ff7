/* An example bot: hunts on a pattern of cells and follows up its hits. It speaks docs/protocol.md. cc -O2 -o bot bot.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { EDGE = 53, AREA = 52 * EDGE, OUTSIDE = 0, OPEN, WATER, SHOT, HIT, SUNK }; /* a cell is row * EDGE + column, both from 1 */
static const int steps[8] = {1, -1, EDGE, -EDGE, EDGE + 1, EDGE - 1, -EDGE + 1, -EDGE - 1};
static int width, height, ships, shortest, lengths[2500], sea[AREA], open_cells, clearance /* of steps: no other ship there */;
static char *word(char *line) { char *found = strtok(line, " \r\n"); return found ? found : ""; } /* of NULL: the next */
static const char *name(int cell) {
    static char text[16];
    return sprintf(text, "%s%c%d", cell % EDGE > 26 ? "A" : "", 'A' + (cell % EDGE - 1) % 26, cell / EDGE), text;
}
static int start_game(void) {
    const char *names[4] = {"size", "fleet", "touching", "seed"}, *values[4] = {"", "", "", ""}, *field, *value;
    while (field = word(NULL), value = word(NULL), *value)
        for (int i = 0; i < 4; i++) if (!strcmp(field, names[i])) values[i] = value;
    if (sscanf(values[0], "%dx%d", &width, &height) < 2 || width < 1 || width > 50 || height < 1 || height > 50) return 0;
    for (int cell = open_cells = 0; cell < AREA; cell++)
        open_cells += sea[cell] = cell % EDGE && cell % EDGE <= width && cell / EDGE && cell / EDGE <= height ? OPEN : OUTSIDE;
    ships = 0, shortest = 50, clearance = !strcmp(values[2], "allowed") ? 0 : !strcmp(values[2], "corners") ? 4 : 8;
    for (const char *at = values[1]; ships < 2500 && (at = strchr(at, ':')); ships++)
        if ((lengths[ships] = atoi(++at)) < shortest) shortest = lengths[ships];
    return srand((unsigned)strtoull(values[3], NULL, 10)), ships > 0 && shortest > 0;
}
static int place(void) {
    int taken[AREA], first[2500], last[2500];
    for (int i = 0, tries = 0; i < 50 * ships; i++) { /* the longest ships first, each at one of the places left */
        int length = 50 - i / ships, ship = i % ships, places = 0, step = 0, packed = tries % 20 == 19;
        for (int cell = 0; cell < AREA && i == 0; cell++) taken[cell] = sea[cell] == OUTSIDE;
        if (lengths[ship] != length) continue;
        for (int cell = 0; cell < AREA; cell++)
            for (int fits = 0, way = 1; way <= EDGE; way += EDGE - 1, fits = 0) {
                while (fits < length && !taken[cell + fits * way]) fits++;
                if (fits == length && (places++ == 0 || (!packed && rand() % places == 0))) first[ship] = cell, step = way;
            }
        for (int cell = first[ship], j = 0; j < length && places; j++, cell += step)
            for (int k = taken[last[ship] = cell] = 1; k <= clearance; k++) taken[cell + steps[k - 1]] = 1;
        if (!places && (i = -1, ++tries) > 100000 / ships + 20) return 0; /* else again, at times packed */
    }
    for (int i = 0; i < ships; i++)
        if (printf("%s %s", i ? "" : "fleet", name(first[i])), lengths[i] > 1) printf("-%s", name(last[i]));
    return puts("") >= 0;
}
static int shoot(int count) {
    if (count < 1 || count > open_cells) return 0;
    for (printf("shots"), open_cells -= count; count > 0; count--) {
        int best = -1, shot = 0;
        for (int cell = 0; cell < AREA; cell++) {
            int value = sea[cell] == WATER ? 0 : rand() % 32768 + (cell % shortest ? 0 : 1 << 15); /* a pattern no ship evades */
            for (int i = 0; i < 4 && sea[cell] == OPEN; i++) /* beside a hit, or even in line with two */
                if (sea[cell + steps[i]] == HIT) value |= sea[cell + 2 * steps[i]] == HIT ? 1 << 17 : 1 << 16;
            if ((sea[cell] == OPEN || sea[cell] == WATER) && value > best) best = value, shot = cell;
        }
        sea[shot] = SHOT, printf(" %s", name(shot));
    }
    return puts("") >= 0;
}
static int answer(const char *cell, const char *result) {
    int shot = AREA - 1, row = atoi(cell + strcspn(cell, "123456789"));
    while (shot && (shot / EDGE != row || sea[shot] == OUTSIDE || strcmp(name(shot), cell))) shot--;
    if (shot) sea[shot] = *result == 'm' ? SHOT : HIT;
    for (int i = 0; i < 4 && *result == 's'; i++) /* along the ship, both ways */
        for (int at = shot; sea[at] >= HIT; at += steps[i])
            for (int j = (sea[at] = SUNK, 0); j < clearance; j++) if (sea[at + steps[j]] == OPEN) sea[at + steps[j]] = WATER;
    return shot;
}
int main(void) {
    static char line[1 << 16], *command;
    for (int playing = 0, good; fgets(line, sizeof line, stdin) && strcmp(command = word(line), "quit"); fflush(stdout)) {
        if (!strcmp(command, "seabattle")) good = puts("name C example\nready") >= 0;
        else if (!strcmp(command, "sync")) good = puts("ready") >= 0;
        else if (!strcmp(command, "game")) good = playing = start_game();
        else if (!strcmp(command, "place")) good = playing && place();
        else if (!strcmp(command, "shoot")) good = playing && shoot(atoi(word(NULL)));
        else if (!strcmp(command, "answer")) good = playing && (command = word(NULL), answer(command, word(NULL)));
        else good = !strcmp(command, "enemy") || !strcmp(command, "end");
        if (!good) puts("error cannot do this");
    }
}
