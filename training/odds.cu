// Exact odds of every shot in each position: counts all consistent fleets, with one block per position.
//
// Compiled for the GPU by PyTorch. Without a GPU it is compiled as plain C++ with one thread per block, to check it.

typedef unsigned long long Word;

#ifdef __CUDACC__
constexpr int WARP = 32;
#endif

constexpr int SLOTS = 5, ANSWERS = 7, ROOM = 184;
constexpr unsigned FULL = ~0u;
constexpr int HALF = 50;  // cells of the lower word, as in game.py
constexpr unsigned MISS = 128, HIT = 64, SUNK = 32;

struct Cells {
    Word low, high;
};

__device__ inline Cells both(Cells a, Cells b) { return {a.low & b.low, a.high & b.high}; }
__device__ inline Cells either(Cells a, Cells b) { return {a.low | b.low, a.high | b.high}; }
__device__ inline Cells without(Cells a, Cells b) { return {a.low & ~b.low, a.high & ~b.high}; }
__device__ inline bool none(Cells a) { return (a.low | a.high) == 0; }
__device__ inline bool same(Cells a, Cells b) { return a.low == b.low && a.high == b.high; }
__device__ inline int size(Cells a) { return __popcll(a.low) + __popcll(a.high); }

__device__ inline Cells single(int cell) {
    return cell < HALF ? Cells{(Word)1 << cell, 0} : Cells{0, (Word)1 << (cell - HALF)};
}

__device__ inline void put(Cells* cells, int cell) {
    Cells one = single(cell);
    if (one.low) atomicOr(&cells->low, one.low);
    if (one.high) atomicOr(&cells->high, one.high);
}

struct Place {
    Cells cover, keep;  // the ship, and the cells that no other ship may cover
    Word ways;          // fleets with the ship there
};

struct Board {
    Cells open, miss, hit, named[SLOTS], sunk[SLOTS], all_sunk;
    Place places[SLOTS][ROOM];
    int count[SLOTS], length[SLOTS], order[SLOTS];
    Word ways;
    bool small;
};

__device__ void read(Board& board, const unsigned char* cells, int area, int thread, int threads) {
    if (thread == 0) {
        Cells empty = {0, 0};
        board.open = board.miss = board.hit = board.all_sunk = empty;
        for (int slot = 0; slot < SLOTS; slot++) {
            board.named[slot] = board.sunk[slot] = empty;
            board.count[slot] = 0;
        }
        board.ways = 0;
    }
    __syncthreads();
    for (int cell = thread; cell < area; cell += threads) {
        unsigned byte = cells[cell];
        if (byte == 0) put(&board.open, cell);
        if (byte & MISS) put(&board.miss, cell);
        if (!(byte & HIT)) continue;
        put(&board.hit, cell);
        if (byte & SUNK) put(&board.all_sunk, cell);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (byte >> slot & 1) put(byte & SUNK ? &board.sunk[slot] : &board.named[slot], cell);
        }
    }
    __syncthreads();
}

// Whether a ship of the slot can be here, judged by its own cells.
__device__ bool is_possible(const Board& board, int slot, Cells cover, bool touching) {
    Cells mine = board.sunk[slot], open = both(cover, board.open), ended = both(cover, mine);
    if (!none(both(cover, board.miss)) || (!none(mine) && none(ended))) return false;
    Cells others = touching ? without(without(board.hit, board.named[slot]), mine) : without(board.all_sunk, mine);
    if (!none(both(cover, others))) return false;
    if (touching) return none(open) != none(ended);
    return none(open) ? same(ended, cover) : none(ended);
}

// places: cover and keep of all placements, slot by slot; counts: how many each slot has.
__device__ void place_ships(Board& board, const Cells* places, const int* counts, bool touching, int thread, int threads) {
    int first = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        for (int at = thread; at < counts[slot]; at += threads) {
            Place place = {places[2 * (first + at)], places[2 * (first + at) + 1], 0};
            if (is_possible(board, slot, place.cover, touching)) board.places[slot][atomicAdd(&board.count[slot], 1)] = place;
        }
        first += counts[slot];
    }
    __syncthreads();
}

// The slots with fewest places first; a slot without ships has one place that covers nothing.
__device__ void sort(Board& board, const int* counts, const int* lengths, double limit) {
    double work = 1;
    for (int slot = 0; slot < SLOTS; slot++) {
        board.length[slot] = counts[slot] ? lengths[slot] : 0;
        if (!counts[slot]) {
            board.places[slot][0] = {{0, 0}, {0, 0}, 0};
            board.count[slot] = 1;
        }
        work *= board.count[slot];
        int at = slot;
        for (; at > 0 && board.count[board.order[at - 1]] > board.count[slot]; at--) board.order[at] = board.order[at - 1];
        board.order[at] = slot;
    }
    board.small = work > 0 && work <= limit;
}

struct Covered {
    Cells cover, keep;
};

__device__ inline bool add(Covered& covered, const Place& place) {
    if (!none(both(covered.keep, place.cover))) return false;
    covered = {either(covered.cover, place.cover), either(covered.keep, place.keep)};
    return true;
}

// The threads of a warp go through the last two slots in step, so that their counts are added once for all.
__device__ void count(Board& board, int thread, int threads) {
    const int* order = board.order;
    Place *first = board.places[order[0]], *second = board.places[order[1]], *third = board.places[order[2]];
    Place *fourth = board.places[order[3]], *last = board.places[order[4]];
    int n0 = board.count[order[0]], n1 = board.count[order[1]], n2 = board.count[order[2]];
    int n3 = board.count[order[3]], n4 = board.count[order[4]];
    int length3 = board.length[order[3]], length4 = board.length[order[4]];
    int all = n0 * n1 * n2;
    for (int base = thread - thread % WARP; base < all; base += threads) {
        int at = base + thread % WARP;
        int a = at % n0, b = at / n0 % n1, c = at / n0 / n1;
        Covered three = {{0, 0}, {0, 0}};
        bool fits = at < all && add(three, first[a]) && add(three, second[b]) && add(three, third[c]);
        fits = fits && size(without(board.hit, three.cover)) <= length3 + length4;
        if (!__ballot_sync(FULL, fits)) continue;
        Word sum = 0;
        for (int i = 0; i < n3; i++) {
            Covered four = three;
            bool fits_four = fits && add(four, fourth[i]);
            Cells bare = without(board.hit, four.cover);
            fits_four = fits_four && size(bare) <= length4;
            if (!__ballot_sync(FULL, fits_four)) continue;
            Word found = 0;
            for (int j = 0; j < n4; j++) {
                Cells cover = last[j].cover;
                bool fits_all = fits_four && none(both(four.keep, cover)) && none(without(bare, cover));
                unsigned fitting_lanes = __ballot_sync(FULL, fits_all);
                if (fitting_lanes && thread % WARP == 0) atomicAdd(&last[j].ways, (Word)__popcll(fitting_lanes));
                found += fits_all;
            }
            if (found) atomicAdd(&fourth[i].ways, found);
            sum += found;
        }
        if (!sum) continue;
        atomicAdd(&first[a].ways, sum);
        atomicAdd(&second[b].ways, sum);
        atomicAdd(&third[c].ways, sum);
        atomicAdd(&board.ways, sum);
    }
    __syncthreads();
}

// The probability of every answer to a shot at each cell.
__device__ void answer_probabilities(const Board& board, int area, float* probabilities, int thread, int threads) {
    for (int cell = thread; cell < area; cell += threads) {
        Cells shot = single(cell);
        Word ways[ANSWERS] = {board.ways, 0, 0, 0, 0, 0, 0};
        for (int slot = 0; slot < SLOTS; slot++) {
            for (int at = 0; at < board.count[slot]; at++) {
                const Place& place = board.places[slot][at];
                if (none(both(place.cover, shot))) continue;
                ways[0] -= place.ways;
                ways[same(both(place.cover, board.open), shot) ? 2 + slot : 1] += place.ways;
            }
        }
        for (int answer = 0; answer < ANSWERS; answer++) probabilities[answer * area + cell] = (double)ways[answer] / board.ways;
    }
}

// probabilities: [position, answer, cell]; unchanged where there is too much to count.
extern "C" __global__ void odds(
    const unsigned char* cells, const Cells* places, const int* counts, const int* lengths, int area, int touching,
    double limit, unsigned char* counted, float* probabilities
) {
    __shared__ Board board;
    int thread = threadIdx.x, threads = blockDim.x;
    long long position = blockIdx.x;
    read(board, cells + position * area, area, thread, threads);
    place_ships(board, places, counts, touching, thread, threads);
    if (thread == 0) sort(board, counts, lengths, limit);
    __syncthreads();
    if (!board.small) return;
    count(board, thread, threads);
    if (!board.ways) return;
    if (thread == 0) counted[position] = 1;
    answer_probabilities(board, area, probabilities + position * ANSWERS * area, thread, threads);
}

#ifndef __CUDACC__
// All positions, one after the other.
extern "C" void all_odds(
    const unsigned char* cells, const Cells* places, const int* counts, const int* lengths, int area, int touching,
    double limit, unsigned char* counted, float* probabilities, int positions
) {
    for (blockIdx.x = 0; blockIdx.x < positions; blockIdx.x++) {
        odds(cells, places, counts, lengths, area, touching, limit, counted, probabilities);
    }
}
#endif
